package dev.tenure.db.internal.guard;

import dev.tenure.db.internal.dialect.Fault;
import java.sql.SQLException;

/// Makes the exceptions that a guard throws; the module's root knows the names and numbers to put into them.
public interface Refusals {
    /// The lease has ended.
    ///
    /// @param call such as `Connection.prepareStatement`
    /// @return to be thrown
    RuntimeException escaped(String call);

    /// A thread other than the lease's called.
    ///
    /// @param call such as `Statement.execute`
    /// @return to be thrown
    RuntimeException wrongThread(String call);

    /// The call is not a borrower's to make.
    ///
    /// @param call such as `Connection.commit`
    /// @param instead what to do instead
    /// @return to be thrown
    RuntimeException refused(String call, String instead);

    /// A cancel ended the call, or what it uses was opened before the cancel.
    ///
    /// @param call such as `ResultSet.next`
    /// @return to be thrown
    RuntimeException cancelled(String call);

    /// The storage is unusable.
    ///
    /// @param fault in which way
    /// @param error what the driver said
    /// @return to be thrown
    RuntimeException unavailable(Fault fault, SQLException error);
}
