/// Durable jobs, enqueued in the transaction that needs them.
package dev.tenure.jobs;
