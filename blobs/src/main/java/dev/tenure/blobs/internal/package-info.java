/// What touches the disk: the seam behind which a test can let it fail.
package dev.tenure.blobs.internal;
