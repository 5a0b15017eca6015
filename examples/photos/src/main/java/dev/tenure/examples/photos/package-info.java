/// The example: upload, transaction, job, thumbnail.
package dev.tenure.examples.photos;
