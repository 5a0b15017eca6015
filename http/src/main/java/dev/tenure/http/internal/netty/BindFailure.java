package dev.tenure.http.internal.netty;

import io.netty.channel.unix.Errors.NativeIoException;
import java.net.BindException;
import java.net.SocketException;

/// Why an address could not be listened on, whatever the transport calls it. **Source:** Linux, errno(3).
public enum BindFailure {
    /// Somebody listens there.
    TAKEN,
    /// This user may not.
    FORBIDDEN,
    /// The address is not of this machine.
    ELSEWHERE,
    /// Anything else.
    OTHER;

    private static final int EACCES = 13;
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;

    /// Looks for the reason in a failure and its causes.
    ///
    /// @param failure of the opening
    /// @return the reason
    public static BindFailure of(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            BindFailure found = switch (at) {
                case NativeIoException known -> byNumber(-known.expectedErr());
                case BindException known -> byWords(String.valueOf(known.getMessage()));
                case SocketException known -> byWords(String.valueOf(known.getMessage()));
                default -> OTHER;
            };
            if (found != OTHER) {
                return found;
            }
        }
        return OTHER;
    }

    private static BindFailure byNumber(int number) {
        return switch (number) {
            case EADDRINUSE -> TAKEN;
            case EACCES -> FORBIDDEN;
            case EADDRNOTAVAIL -> ELSEWHERE;
            default -> OTHER;
        };
    }

    private static BindFailure byWords(String said) {
        if (said.contains("Address already in use")) {
            return TAKEN;
        }
        if (said.contains("Permission denied")) {
            return FORBIDDEN;
        }
        return said.contains("Cannot assign requested address") ? ELSEWHERE : OTHER;
    }
}
