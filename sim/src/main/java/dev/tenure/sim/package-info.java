/// Whole handlers under a fault sweep: database, blobs, jobs, uploads and exchange in one world.
package dev.tenure.sim;
