package dev.tenure.core;

/// A handle was used after its value had been moved, released or published. The message names the resource and its
/// state.
public final class StaleHandle extends OwnershipException {
    private static final long serialVersionUID = 1L;

    StaleHandle(String message) {
        super(message);
    }
}
