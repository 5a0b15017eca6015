/// The example: upload, transaction, job, thumbnail.
@NullMarked
package dev.tenure.examples.photos;

import org.jspecify.annotations.NullMarked;
