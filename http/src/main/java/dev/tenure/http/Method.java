package dev.tenure.http;

/// The methods a route can be for. **Source:** RFC 9110 section 9.
public enum Method {
    /// Read; a GET route answers HEAD too.
    GET,
    /// Read the head alone.
    HEAD,
    /// Create or act.
    POST,
    /// Replace.
    PUT,
    /// Remove.
    DELETE,
    /// Change in part.
    PATCH,
    /// Ask what is possible.
    OPTIONS
}
