package tapbench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The endpoint that receives the webhooks of all sandboxes of a test run: an HTTP server on a free port. */
final class Receiver {
    private static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task, "tapbench-webhooks");
        thread.setDaemon(true);
        return thread;
    };

    private final Map<String, List<Delivery>> deliveries = new HashMap<>();
    private final Map<String, Queue<Integer>> statuses = new HashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(DAEMONS);
    private final HttpServer server;
    private final String url;

    /** A request as it arrived; {@code sandbox} is the name in its header {@code Tapbench-Sandbox}. */
    record Delivery(byte[] body, String signature, String sandbox) {
    }

    /** Starts the receiver. {@code named} is the name of this machine for a server elsewhere, or null. */
    Receiver(String named) {
        try {
            server = HttpServer.create(new InetSocketAddress(named == null ? "127.0.0.1" : "0.0.0.0", 0), 0);
        } catch (IOException error) {
            throw new UncheckedIOException("no port for webhooks", error);
        }
        server.createContext("/", this::receive);
        server.setExecutor(threads);
        // The thread that accepts connections is a daemon, as the one that starts it: it must not keep the run alive.
        CompletableFuture.runAsync(server::start, threads).join();
        url = "http://" + (named == null ? "127.0.0.1" : named) + ":" + server.getAddress().getPort();
    }

    /** Returns the base address of the endpoint. */
    String url() {
        return url;
    }

    /** Returns what arrived at a path after the first {@code after} deliveries, oldest first. */
    synchronized List<Delivery> deliveries(String path, int after) {
        List<Delivery> arrived = deliveries.getOrDefault(path, List.of());
        return List.copyOf(arrived.subList(Math.min(after, arrived.size()), arrived.size()));
    }

    /** Waits until more than {@code after} deliveries have arrived at a path, at most for {@code timeout}. */
    synchronized void awaitMore(String path, int after, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            while (deliveries.getOrDefault(path, List.of()).size() <= after) {
                long leftMs = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (leftMs <= 0) {
                    return;
                }
                wait(leftMs);
            }
        } catch (InterruptedException interrupted) {
            throw Wait.interrupted("waiting for webhooks");
        }
    }

    /** Sets the statuses of the next replies at a path; 200 after them. */
    synchronized void replyWith(String path, List<Integer> next) {
        statuses.put(path, new ArrayDeque<>(next));
    }

    /** Closes the port. */
    void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Delivery delivery = new Delivery(body, header(exchange, "Signature").orElse(""),
                    header(exchange, "Tapbench-Sandbox").orElse("default"));
            exchange.sendResponseHeaders(take(exchange.getRequestURI().getPath(), delivery), -1);
        }
    }

    private static Optional<String> header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** Keeps a delivery, and returns the status of its reply. */
    private synchronized int take(String path, Delivery delivery) {
        deliveries.computeIfAbsent(path, unused -> new ArrayList<>()).add(delivery);
        notifyAll();
        Integer status = statuses.getOrDefault(path, new ArrayDeque<>()).poll();
        return status == null ? 200 : status;
    }
}
