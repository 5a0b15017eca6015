/// Multipart parts as owned temporary files.
@org.jspecify.annotations.NullMarked
module dev.tenure.uploads {
    requires transitive dev.tenure.http;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.uploads;
}
