package dev.tenure.blobs;

/// This text is no key that a blob store gives out, so it is not looked up anywhere.
///
/// **Threads:** the caller's. **Held:** nothing. **Source:** ADR-0030.
public final class BadBlobKey extends BlobException {
    private static final long serialVersionUID = 1L;

    private static final int SHOWN_MAX = 60;

    /// A refusal; the text is shown shortened and without control characters.
    ///
    /// @param store the store's name
    /// @param text what was given as a key
    /// @param expected the syntax
    public BadBlobKey(String store, String text, String expected) {
        super("%s: key: '%s' (expected: %s)".formatted(store, shown(text), expected), null);
    }

    private static String shown(String text) {
        var cut = text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }
}
