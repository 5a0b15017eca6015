/// Stage, place, settle: files that belong to a transaction.
package dev.tenure.blobs;
