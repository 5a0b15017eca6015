/// What differs between databases: how a transaction begins and ends, and what an error means.
package dev.tenure.db.internal.dialect;
