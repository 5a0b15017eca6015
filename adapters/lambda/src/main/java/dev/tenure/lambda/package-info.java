/// The routes of a server as an AWS Lambda function, one activity an invocation.
package dev.tenure.lambda;
