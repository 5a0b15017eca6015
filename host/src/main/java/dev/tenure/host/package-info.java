/// Process lifetime: what a process owns, how it stops inside one budget, and the report that proves it.
package dev.tenure.host;
