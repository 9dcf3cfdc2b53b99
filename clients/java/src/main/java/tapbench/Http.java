package tapbench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Sends HTTP requests. */
final class Http {
    /** Long enough for a busy machine that creates sandboxes for many tests at once. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

    private Http() {
    }

    /** A reply as it arrived. */
    record Reply(int status, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Sends one request without following redirects. Throws ServerUnavailable when there is no reply. */
    static Reply send(String method, String url, byte[] body, Map<String, String> headers) {
        URI address = URI.create(url);
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(TIMEOUT);
        headers.forEach(request::header);
        request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        try {
            return replyOf(CLIENT.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException error) {
            String problem = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
            throw new ServerUnavailable("no Tapbench server replies at " + address.getScheme() + "://"
                    + address.getAuthority() + " (" + problem + ")");
        } catch (InterruptedException interrupted) {
            throw Wait.interrupted("calling " + address.getAuthority());
        }
    }

    private static Reply replyOf(HttpResponse<byte[]> response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
        return new Reply(response.statusCode(), headers, response.body());
    }
}
