/// Files as resources of the web: ranges, conditions, types, and a directory nobody leaves.
package dev.tenure.http.internal.files;
