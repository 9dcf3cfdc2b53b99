package tapbench;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Calls the API of one sandbox with one key. Paths begin with {@code /v1/} or {@code /sandbox/}.
 *
 * <p>Each call returns the body of the reply, throws {@link ApiError} for another status than 2xx, and
 * {@link ServerUnavailable} when there is no reply. A call that is over the rate limit waits and is sent again.
 */
public final class Client {
    private static final int RETRIES_MAX = 20;

    private final String url;
    private final String key;
    private final String account;

    /** Creates a client of the API at an address. */
    public Client(String url, String key) {
        this(url, key, null);
    }

    private Client(String url, String key, String account) {
        this.url = url.replaceAll("/+$", "");
        this.key = key;
        this.account = account;
    }

    /** Returns a client that acts for a sub account (header {@code Account}). */
    public Client asAccount(String accountId) {
        return new Client(url, key, accountId);
    }

    /** Returns the base URL, without a trailing slash. */
    public String url() {
        return url;
    }

    /** Returns the key. */
    String key() {
        return key;
    }

    /** Sends a GET request. */
    public Json get(String path) {
        return request("GET", path, null, null);
    }

    /** Sends a GET request with a query. */
    public Json get(String path, Map<String, ?> query) {
        return get(path + "?" + encoded(query));
    }

    /** Sends a POST request without a body. */
    public Json post(String path) {
        return request("POST", path, null, null);
    }

    /** Sends a POST request with a JSON body. */
    public Json post(String path, Map<String, ?> body) {
        return request("POST", path, body, null);
    }

    /** Sends a POST request with a JSON body and an idempotency key. */
    public Json post(String path, Map<String, ?> body, String idempotencyKey) {
        return request("POST", path, body, idempotencyKey);
    }

    /** Sends a PATCH request with a JSON body. */
    public Json patch(String path, Map<String, ?> body) {
        return request("PATCH", path, body, null);
    }

    /** Sends a DELETE request. */
    public Json delete(String path) {
        return request("DELETE", path, null, null);
    }

    /** Sends a request of any method; {@code body} and {@code idempotencyKey} may be null. */
    public Json request(String method, String path, Map<String, ?> body, String idempotencyKey) {
        Map<String, String> headers = new HashMap<>();
        if (idempotencyKey != null) {
            headers.put("Idempotency-Key", idempotencyKey);
        }
        if (body != null) {
            headers.put("Content-Type", "application/json");
        }
        byte[] text = body == null ? null : bytes(JsonWriter.write(body));
        return object(method + " " + path, send(method, path, text, headers));
    }

    /** Uploads a file, and returns it. {@code category} is {@code Evidence} or {@code VerificationDocument}. */
    public Json upload(String category, String name, byte[] content, String contentType) {
        Multipart form = new Multipart().field("category", category).file("file", name, content, contentType);
        return object("POST /v1/files", send("POST", "/v1/files", form.body(), Map.of("Content-Type", form.contentType())));
    }

    /** Sends a GET request, and returns the content of a file. */
    public byte[] download(String path) {
        Http.Reply reply = send("GET", path, null, Map.of());
        if (reply.status() != 200) {
            throw ApiError.of("GET " + path, reply.status(), parsed(reply));
        }
        return reply.body();
    }

    /** Returns the names and values as the query of a URL, or as the body of a form. */
    static String encoded(Map<String, ?> fields) {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(String.valueOf(field.getValue())))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Http.Reply send(String method, String path, byte[] body, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Authorization", key);
        if (account != null) {
            all.put("Account", account);
        }
        for (int retries = 0; ; retries++) {
            Http.Reply reply = Http.send(method, url + path, body, all);
            if (reply.status() != 429 || retries == RETRIES_MAX) {
                return reply;
            }
            double seconds = Double.parseDouble(reply.headers().getOrDefault("Retry-After", "1"));
            Wait.pause(Duration.ofMillis(Math.round(1000 * seconds)));
        }
    }

    private static Json object(String request, Http.Reply reply) {
        Object body = parsed(reply);
        if (reply.status() >= 200 && reply.status() < 300 && body instanceof Json json) {
            return json;
        }
        throw ApiError.of(request, reply.status(), body);
    }

    /** Returns the object that a reply has; its text where it has none. */
    private static Object parsed(Http.Reply reply) {
        try {
            return Json.parse(reply.text());
        } catch (IllegalArgumentException other) {
            return reply.text();
        }
    }

    @Override
    public String toString() {
        return "Client(" + url + (account == null ? "" : ", account " + account) + ")";
    }
}
