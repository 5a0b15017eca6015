package dev.tenure.http;

/// What a client's FIN means while a request is in flight.
public enum PeerFin {
    /// The client has gone, as by a reset: the exchange is cancelled.
    GONE,
    /// The client sends no more but still reads: a whole request is answered, then the connection ends.
    HALF_CLOSE
}
