package tapbench;

/** No server replies at the address, or none could be found or started. */
public final class ServerUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    ServerUnavailable(String message) {
        super(message);
    }
}
