package tapbench;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives all events of a sandbox. */
public final class Webhooks {
    private static final Duration LOST_WEBHOOK = Duration.ofMillis(250);

    private final Receiver receiver;
    private final String path;
    private final String sandbox;
    private final String secret;
    private final List<Event> events = new ArrayList<>();

    /** Number of deliveries that were read, those of forks included. */
    private int read = 0;

    Webhooks(Receiver receiver, String path, String sandbox, String secret) {
        this.receiver = receiver;
        this.path = path;
        this.sandbox = sandbox;
        this.secret = secret;
    }

    /**
     * Returns whether {@code signature} is the HMAC-SHA256 of the exact bytes of a body under the secret, in hex. Takes the
     * same time for each wrong signature.
     */
    public static boolean verifySignature(String secret, byte[] body, String signature) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Client.bytes(secret), "HmacSHA256"));
            byte[] expected = Client.bytes(HexFormat.of().formatHex(mac.doFinal(body)));
            return MessageDigest.isEqual(expected, Client.bytes(signature));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Returns the address of the endpoint. */
    public String url() {
        return receiver.url() + path;
    }

    /** Returns the webhooks of a fork: they arrive at the same endpoint. */
    Webhooks ofFork(String name) {
        return new Webhooks(receiver, path, name, secret);
    }

    /**
     * Returns the events that arrived, in the order of their arrival. An event that was delivered twice is here twice.
     * Throws AssertionError for a delivery with a wrong signature.
     */
    public synchronized List<Event> received() {
        for (Receiver.Delivery delivery : receiver.deliveries(path, read)) {
            if (delivery.sandbox().equals(sandbox)) {
                events.add(event(delivery));
            }
            read++;
        }
        return List.copyOf(events);
    }

    /** Returns the events of one type that arrived, in the order of their arrival. */
    public List<Event> received(String type) {
        return received().stream().filter(event -> event.type().equals(type)).toList();
    }

    /** Waits until an event of a type has arrived, and returns it. */
    public Event waitFor(String type) {
        return waitFor(type, event -> true);
    }

    /** Waits until an event of a type has arrived for which {@code where} holds, and returns it. */
    public Event waitFor(String type, Predicate<Event> where) {
        return waitFor(type, where, 1, Wait.TIMEOUT).get(0);
    }

    /** Waits until that many events of a type have arrived, and returns them in the order of their arrival. */
    public List<Event> waitFor(String type, int count) {
        return waitFor(type, event -> true, count, Wait.TIMEOUT);
    }

    /**
     * Waits until that many events of a type have arrived for which {@code where} holds, and returns them in the order of
     * their arrival. Throws {@link NotInTime} after {@code timeout}.
     */
    public List<Event> waitFor(String type, Predicate<Event> where, int count, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            List<Event> found = received(type).stream().filter(where).toList();
            if (found.size() >= count) {
                return found.subList(0, count);
            }
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (left.toMillis() <= 0) {
                throw notInTime(type, count, timeout);
            }
            receiver.awaitMore(path, read(), left);
        }
    }

    private NotInTime notInTime(String type, int count, Duration timeout) {
        String types = received().stream().map(Event::type).collect(Collectors.joining(", "));
        return new NotInTime(count + " × " + type + " did not arrive at " + url() + " within " + Wait.inSeconds(timeout)
                + " s; received: " + (types.isEmpty() ? "none" : types));
    }

    /** Sets the statuses of the next replies, such as 500; 200 after them. */
    public void replyWith(Integer... statuses) {
        receiver.replyWith(path, Arrays.asList(statuses));
    }

    /**
     * Calls {@code look} until it returns a value, and returns that: at each webhook that arrives, and now and then in case
     * the one that tells of it is lost.
     */
    <T> T find(String what, Supplier<Optional<T>> look) {
        long end = System.nanoTime() + Wait.TIMEOUT.toNanos();
        while (true) {
            int seen = receiver.deliveries(path, 0).size();
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() >= end) {
                throw Wait.notInTime(what, Wait.TIMEOUT);
            }
            receiver.awaitMore(path, seen, LOST_WEBHOOK);
        }
    }

    private synchronized int read() {
        return read;
    }

    private Event event(Receiver.Delivery delivery) {
        if (!verifySignature(secret, delivery.body(), delivery.signature())) {
            throw new AssertionError("a webhook has a wrong signature");
        }
        return Event.of(Json.parse(new String(delivery.body(), StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return "Webhooks(" + url() + ")";
    }
}
