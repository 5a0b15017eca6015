/// One HTTP/1.1 connection as a pure engine: events in, actions out. No socket, clock or thread.
package dev.tenure.http.internal.exchange;
