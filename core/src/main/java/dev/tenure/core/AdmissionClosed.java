package dev.tenure.core;

/// An owner that is closing or closed refused something new. The caller still owns what it offered.
public final class AdmissionClosed extends OwnershipException {
    private static final long serialVersionUID = 1L;

    AdmissionClosed(String message) {
        super(message);
    }
}
