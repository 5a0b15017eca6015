/// The guarded connection: what a borrower sees of a lease, and what a cancel and the lease's end do to it.
package dev.tenure.db.internal.guard;
