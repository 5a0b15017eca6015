/// Opens data sources and pools; nothing here knows of leases.
package dev.tenure.db.internal.pool;
