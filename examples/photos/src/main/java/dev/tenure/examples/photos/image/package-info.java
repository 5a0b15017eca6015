/// What is a whole picture, how it stands upright, and its thumbnail: streams only, no file is read into memory.
@NullMarked
package dev.tenure.examples.photos.image;

import org.jspecify.annotations.NullMarked;
