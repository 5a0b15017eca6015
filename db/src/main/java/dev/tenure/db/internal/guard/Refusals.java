package dev.tenure.db.internal.guard;

import dev.tenure.db.internal.dialect.Fault;
import java.sql.SQLException;
import java.util.Optional;

/// Makes the exceptions that a guard throws, and tells what nobody can be thrown; the module's root knows the names
/// and numbers to put into them.
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

    /// A running call does not heed a cancel. Told once for each call, to the observer.
    ///
    /// @param call such as `Statement.execute`
    /// @param failure what the driver said to the cancel; empty if it took it each time
    void notCancelled(String call, Optional<Exception> failure);

    /// The connection did not come back as it was lent, so it is closed. Told to the observer.
    ///
    /// @param why what was found
    void notLentAgain(SQLException why);
}
