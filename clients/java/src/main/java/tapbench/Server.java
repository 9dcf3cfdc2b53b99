package tapbench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Tapbench server of a test run, on which each test gets a sandbox: one that runs, or one that is started. */
public final class Server implements AutoCloseable {
    private static final String HELP = "Start one with `tapbench up` and set TAPBENCH_URL and TAPBENCH_KEY to the address "
            + "and the secret key that it prints, or set TAPBENCH_COMMAND to the command `tapbench`, such as "
            + "`node_modules/.bin/tapbench`, to have one started for the tests.";

    private static Server ofRun;

    private final Client client;
    private final ServerProcess process;
    private final Receiver receiver;

    private Server(Client client, ServerProcess process, String webhookHost) {
        this.client = client;
        this.process = process;
        receiver = new Receiver(webhookHost);
    }

    /** Returns the server of this run, found or started at the first call. It ends with this process. */
    public static synchronized Server ofRun() {
        if (ofRun == null) {
            Server server = find(System.getenv(), Path.of(""));
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            ofRun = server;
        }
        return ofRun;
    }

    /**
     * Returns the server of TAPBENCH_URL and TAPBENCH_KEY, or starts one.
     *
     * <p>Without the two, TAPBENCH_COMMAND is started, or {@code node_modules/.bin/tapbench} of the folder or one above it,
     * or {@code tapbench} of PATH. Throws {@link ServerUnavailable} with what to do.
     */
    public static Server find(Map<String, String> environment, Path folder) {
        String url = environment.getOrDefault("TAPBENCH_URL", "");
        String key = environment.getOrDefault("TAPBENCH_KEY", "");
        if (!url.isEmpty() && key.isEmpty()) {
            throw new ServerUnavailable("TAPBENCH_URL is set, but TAPBENCH_KEY is not. " + HELP);
        }
        // A server elsewhere, such as in a container, reaches this machine under another name.
        String webhookHost = Optional.ofNullable(environment.get("TAPBENCH_WEBHOOK_HOST"))
                .filter(name -> !name.isEmpty()).orElse(null);
        if (!url.isEmpty()) {
            return new Server(running(url, key), null, webhookHost);
        }
        List<String> command = ServerCommand.find(environment, folder).orElseThrow(
                () -> new ServerUnavailable("There is no Tapbench server for the tests. " + HELP));
        return start(command, webhookHost);
    }

    /** Starts {@code tapbench up} on free ports, without a rate limit and without keeping data. {@link #close} ends it. */
    public static Server start(List<String> command) {
        return start(command, null);
    }

    private static Server start(List<String> command, String webhookHost) {
        ServerProcess process = ServerProcess.start(command);
        return new Server(new Client(process.url(), process.secretKey()), process, webhookHost);
    }

    private static Client running(String url, String key) {
        Client client = new Client(url, key);
        try {
            client.get("/sandboxes");
            return client;
        } catch (ServerUnavailable error) {
            throw new ServerUnavailable(error.getMessage() + ": is TAPBENCH_URL right? " + HELP);
        } catch (ApiError error) {
            throw new ServerUnavailable(error.getMessage() + ": is TAPBENCH_KEY the secret key of " + url + "?");
        }
    }

    /** Returns the address of the server. */
    public String url() {
        return client.url();
    }

    /** Returns the client that calls the API with the key of the sandbox {@code default}. */
    public Client client() {
        return client;
    }

    /** Creates a sandbox. */
    public Sandbox createSandbox() {
        return createSandbox(Map.of());
    }

    /** Creates a sandbox. {@code options} are members of POST /sandboxes, such as {@code seed}. */
    public Sandbox createSandbox(Map<String, ?> options) {
        return Sandbox.create(client, receiver, options);
    }

    /** Ends the server if it was started for the tests. */
    @Override
    public void close() {
        receiver.close();
        if (process != null) {
            process.end();
        }
    }

    @Override
    public String toString() {
        return "Server(" + url() + ")";
    }
}
