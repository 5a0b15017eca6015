/// Multipart parts as owned temporary files.
package dev.tenure.uploads;
