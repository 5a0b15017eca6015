/// What crosses between an event loop and a handler's thread: request bytes one way, answers the other, both bounded.
package dev.tenure.http.internal.flow;
