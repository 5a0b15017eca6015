/// The job table: its schema and every statement on it. Knows SQL, but no worker, no clock and no thread.
package dev.tenure.jobs.internal.table;
