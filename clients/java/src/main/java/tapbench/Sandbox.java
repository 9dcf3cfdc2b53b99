package tapbench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * A sandbox of a server: keys, objects, clock, terminals and webhooks of its own.
 *
 * <p>{@link WithSandbox} gives one to a test, {@link Server#createSandbox()} makes one, and {@link #fork()} a copy.
 */
public final class Sandbox implements AutoCloseable {
    /** Time without use after which the server deletes it: a run that was killed deletes nothing. */
    private static final int EXPIRES_IN_SECONDS = 3_600;

    private static final int STEPS_MAX = 20;
    private static final Duration STEP_TIMEOUT = Duration.ofMillis(500);

    private final Client host;
    private final Json created;
    private final Client client;
    private final Client browser;
    private final Checkout checkout;
    private final Webhooks webhooks;
    /** Terminals whose cardholder does what the tests say, those of the source included. */
    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private volatile boolean allowsUnstruck;
    private Terminal terminal;

    private Sandbox(Client host, Json created, Webhooks webhooks, Set<String> taken) {
        this.host = host;
        this.created = created;
        this.webhooks = webhooks;
        this.taken.addAll(taken);
        client = new Client(host.url(), secretKey());
        browser = new Client(host.url(), publicKey());
        checkout = new Checkout(client, browser);
    }

    /**
     * Creates a sandbox with a webhook endpoint for all events. {@code options} are members of POST /sandboxes; its pace is
     * {@code instant} unless they have another.
     */
    static Sandbox create(Client host, Receiver receiver, Map<String, ?> options) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("pace", "instant"));
        body.putAll(options);
        Json created = host.post("/sandboxes", withExpiry(body));
        String path = "/" + created.text("name");
        Map<String, ?> endpoint = Map.of("url", receiver.url() + path, "active", true, "eventTypes", EventTypes.ALL);
        String secret = new Client(host.url(), created.text("secretKey")).post("/v1/webhooks", endpoint).text("secret");
        return new Sandbox(host, created, new Webhooks(receiver, path, created.text("name"), secret), Set.of());
    }

    /** Creates a copy of this sandbox with everything in it, terminals as they stand, and new keys. */
    public Sandbox fork() {
        return fork(Map.of());
    }

    /** Creates a copy of this sandbox. {@code options} are further members of POST /sandboxes, such as {@code name}. */
    public Sandbox fork(Map<String, ?> options) {
        Map<String, Object> body = withExpiry(options);
        body.put("from", name());
        // Before the copy, so that none is missing in it.
        Set<String> takenBefore = Set.copyOf(taken);
        Json copy = host.post("/sandboxes", body);
        Sandbox fork = new Sandbox(host, copy, webhooks.ofFork(copy.text("name")), takenBefore);
        fork.allowsUnstruck = allowsUnstruck;
        return fork;
    }

    private static Map<String, Object> withExpiry(Map<String, ?> options) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("expiresInSeconds", EXPIRES_IN_SECONDS);
        body.putAll(options);
        return body;
    }

    /** Returns the name of the sandbox. */
    public String name() {
        return created.text("name");
    }

    /** Returns the base URL of the API, without a trailing slash: with the key, the configuration of your code. */
    public String url() {
        return host.url();
    }

    /** Returns the secret key, of your server. */
    public String secretKey() {
        return created.text("secretKey");
    }

    /** Returns the public key, of the customer's browser or app. */
    public String publicKey() {
        return created.text("publicKey");
    }

    /** Returns the link that opens the dashboard of the sandbox in a browser. */
    public String dashboardUrl() {
        return created.text("dashboardUrl");
    }

    /** Returns the account of the keys, a platform. */
    public String accountId() {
        return created.text("accountId");
    }

    /** Returns a sub account that exists from the start. */
    public String subAccountId() {
        return created.text("subAccountId");
    }

    /** Returns {@code instant} when cardholder and reader take no time, {@code real} otherwise; that of its creation. */
    public String pace() {
        return created.text("pace");
    }

    /** Returns the client that calls the API with the secret key. */
    public Client client() {
        return client;
    }

    /** Returns the client that calls the API with the public key, as a customer's browser. */
    public Client browser() {
        return browser;
    }

    /** Returns the online payments of this sandbox. */
    public Checkout checkout() {
        return checkout;
    }

    /** Returns what receives all events of the sandbox. */
    public Webhooks webhooks() {
        return webhooks;
    }

    /** Returns the simulated terminal, online. Its cardholder does nothing by itself. */
    public synchronized Terminal terminal() {
        if (terminal == null) {
            terminal = terminal(created.text("terminals.0.id"));
        }
        return terminal;
    }

    /** Returns a simulated terminal once it is online. Its cardholder does nothing by itself. */
    public Terminal terminal(String terminalId) {
        Terminal other = new Terminal(client, webhooks, terminalId);
        other.comesOnline();
        // In a fork the cardholder goes on as in its source.
        if (!taken.contains(terminalId)) {
            other.cardholder(CardholderScripts.NONE);
            taken.add(terminalId);
        }
        return other;
    }

    /** Returns the time of the sandbox, in whole seconds. */
    public Instant now() {
        return Instant.ofEpochSecond(client.get("/sandbox/clock").number("nowTimestamp"));
    }

    /** Advances the clock of this sandbox alone, by whole seconds. What is due is done. */
    public void advance(Duration by) {
        Json clock = client.post("/sandbox/clock/advance", Map.of("seconds", by.toSeconds()));
        if (clock.number("pending.jobs") > 0) {
            Wait.until("what is due is done", () -> client.get("/sandbox/clock").number("pending.jobs") == 0);
        }
    }

    /**
     * Advances the clock by the same step until {@code look} returns true.
     *
     * <p>For what the server plans only when something before it is done, such as the next try of a webhook.
     */
    public void advanceUntil(String what, BooleanSupplier look, Duration step) {
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            advance(step);
            if (holdsWithin(STEP_TIMEOUT, what, look)) {
                return;
            }
        }
        throw new NotInTime("advanced the clock " + STEPS_MAX + " times, but not: " + what);
    }

    private static boolean holdsWithin(Duration timeout, String what, BooleanSupplier look) {
        try {
            Wait.until(what, look, timeout);
            return true;
        } catch (NotInTime notYet) {
            return false;
        }
    }

    /** Begins a plan of faults, such as {@code Map.of("at", "webhook.attempt", "what", "lost")}, and returns it. */
    @SafeVarargs
    public final Json faults(Map<String, ?>... faults) {
        List<Object> plan = new ArrayList<>();
        for (Map<String, ?> fault : faults) {
            plan.add(fault);
        }
        return beginPlan(Map.of("faults", plan));
    }

    /** Begins a plan with its members of POST /sandbox/faults, such as {@code faults} and {@code seed}, and returns it. */
    public Json beginPlan(Map<String, ?> plan) {
        return client.post("/sandbox/faults", plan);
    }

    /** Returns the faults of the plans of this sandbox that have struck nothing. */
    public List<Json> unstruck() {
        List<Json> unstruck = new ArrayList<>();
        for (Json plan : client.get("/sandbox/faults", Map.of("strikes", 0)).objects("items")) {
            List<Json> faults = plan.objects("faults");
            for (int index = 0; index < faults.size(); index++) {
                if (plan.number("struckByFault." + index) == 0) {
                    unstruck.add(faults.get(index));
                }
            }
        }
        return unstruck;
    }

    /** Lets a test end with faults of its plans that struck nothing. */
    public void allowUnstruck() {
        allowsUnstruck = true;
    }

    /** Throws {@link UnstruckFaults} when faults have struck nothing, unless the test permits it. */
    void expectStruck() {
        List<Json> unstruck = allowsUnstruck ? List.of() : unstruck();
        if (!unstruck.isEmpty()) {
            throw new UnstruckFaults(unstruck);
        }
    }

    /** Deletes the sandbox with everything in it. */
    public void delete() {
        host.delete("/sandboxes/" + name());
    }

    /** Deletes the sandbox, and throws {@link UnstruckFaults} when faults of its plans have struck nothing. */
    @Override
    public void close() {
        try {
            expectStruck();
        } finally {
            delete();
        }
    }

    @Override
    public String toString() {
        return "Sandbox(" + name() + " at " + url() + ")";
    }
}
