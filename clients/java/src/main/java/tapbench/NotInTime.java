package tapbench;

/** What a test waited for did not happen in time. */
public final class NotInTime extends AssertionError {
    private static final long serialVersionUID = 1;

    NotInTime(String message) {
        super(message);
    }
}
