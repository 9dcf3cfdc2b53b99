package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that fail in each way that could print a key. FailureOutputTest runs them. */
@WithSandbox
class FailingCases {
    @Test
    void compares(Sandbox sandbox) throws IOException {
        noteKeys(sandbox);
        Json session = sandbox.checkout().create(1250);
        assertEquals(List.of(1), List.of(sandbox, sandbox.client(), sandbox.webhooks(), session));
    }

    @Test
    void isRefused(Sandbox sandbox) throws IOException {
        noteKeys(sandbox);
        sandbox.checkout().create(0);
    }

    @Test
    void hasNoServer(Sandbox sandbox) throws IOException {
        noteKeys(sandbox);
        new Client("http://127.0.0.1:1", sandbox.secretKey()).get("/v1/events");
    }

    private static synchronized void noteKeys(Sandbox sandbox) throws IOException {
        Path file = Path.of(System.getenv("KEYS_FILE"));
        List<String> keys = List.of(sandbox.secretKey(), sandbox.publicKey());
        Files.write(file, keys, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
