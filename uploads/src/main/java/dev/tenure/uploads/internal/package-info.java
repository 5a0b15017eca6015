/// The multipart machine: bytes in, events out; no file, no socket, no clock.
package dev.tenure.uploads.internal;
