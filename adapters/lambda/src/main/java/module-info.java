/// The routes of a server as an AWS Lambda function.
@org.jspecify.annotations.NullMarked
module dev.tenure.lambda {
    requires transitive dev.tenure.host;
    requires transitive dev.tenure.http;
    requires transitive aws.lambda.java.core;
    requires tools.jackson.core;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.lambda;
}
