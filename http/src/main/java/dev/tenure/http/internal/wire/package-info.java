/// HTTP/1.1 on the wire, strictly: heads, bodies and their limits, over byte arrays. No socket, clock or thread.
package dev.tenure.http.internal.wire;
