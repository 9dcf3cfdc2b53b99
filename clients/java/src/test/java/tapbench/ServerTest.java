package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@WithSandbox
class ServerTest {
    /** A port of the loopback on which nothing listens. */
    private static final String NOWHERE = "http://127.0.0.1:1";

    @TempDir
    private Path folder;

    @Test
    void findStartsAServerWithoutOneThatRuns() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeAll(List.of("TAPBENCH_URL", "TAPBENCH_KEY"));
        Server server = Server.find(environment, Path.of(""));
        try (server; Sandbox sandbox = server.createSandbox(Map.of("name", "own", "seed", "a"))) {
            assertEquals("own", sandbox.name());
            assertEquals(List.of(), sandbox.client().get("/v1/customers").objects("items"));
        }
        assertThrows(ServerUnavailable.class, () -> server.client().get("/sandboxes"));
    }

    @Test
    void findStartsWhatIsInstalledInAFolderAbove() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("node_modules/.bin"));
        program(bin.resolve("tapbench"), "echo 'the one of the project' >&2");
        Path inside = Files.createDirectories(folder.resolve("shop/src"));
        assertRefused("up ended: the one of the project", () -> Server.find(Map.of("PATH", "/no"), inside));
    }

    @Test
    void findStartsTheOneOfPath() throws IOException {
        program(folder.resolve("tapbench"), "echo 'the one of PATH' >&2");
        assertRefused("up ended: the one of PATH", () -> Server.find(Map.of("PATH", "/no:" + folder), Path.of("/")));
    }

    @Test
    void theCommandOfTheEnvironmentHasQuotedWords() {
        assertEquals(List.of("a b", "c", "d'e", "f"), ServerCommand.words(" 'a b' c \"d'e\" f"));
        Map<String, String> environment = Map.of("TAPBENCH_COMMAND", "sh -c 'echo needs Node 20 >&2'");
        assertRefused("up ended: needs Node 20", () -> Server.find(environment, folder));
    }

    @Test
    void findExplainsThatThereIsNoServer() {
        Executable find = () -> Server.find(Map.of("PATH", "/no"), folder);
        assertRefused("There is no Tapbench server for the tests. Start one with", find);
        assertRefused("TAPBENCH_URL and TAPBENCH_KEY", find);
        assertRefused("TAPBENCH_COMMAND", find);
    }

    @Test
    void findExplainsThatTheKeyIsMissing() {
        assertRefused("TAPBENCH_URL is set, but TAPBENCH_KEY is not", () -> find(NOWHERE, ""));
    }

    @Test
    void findExplainsThatNothingRepliesAtTheAddress() {
        assertRefused("no Tapbench server replies at http://127.0.0.1:1 (", () -> find(NOWHERE, "sk_sandbox_x"));
        assertRefused("is TAPBENCH_URL right?", () -> find(NOWHERE, "sk_sandbox_x"));
    }

    @Test
    void findExplainsThatTheKeyIsWrong(Server server) {
        String message = assertRefused("is TAPBENCH_KEY the secret key of " + server.url() + "?",
                () -> find(server.url(), "sk_sandbox_other"));
        assertFalse(message.contains("sk_sandbox_other"), message);
    }

    @Test
    void startExplainsThatTheCommandIsNotThere() {
        assertRefused("/no/tapbench cannot be started: No such file", () -> Server.start(List.of("/no/tapbench")));
    }

    private Server find(String url, String key) {
        return Server.find(Map.of("TAPBENCH_URL", url, "TAPBENCH_KEY", key), folder);
    }

    private static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\nexit 1\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String assertRefused(String words, Executable find) {
        String message = assertThrows(ServerUnavailable.class, find).getMessage();
        assertTrue(message.contains(words), message);
        return message;
    }
}
