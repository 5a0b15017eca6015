/// JSON bodies by Jackson.
@org.jspecify.annotations.NullMarked
module dev.tenure.jackson {
    requires transitive dev.tenure.http;
    requires transitive tools.jackson.databind;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.jackson;
}
