package tapbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server that was started for the tests. */
final class ServerProcess {
    private static final Map<String, String> SETTINGS = Map.of("PORT", "0", "MQTT_PORT", "0", "RATE_LIMIT", "off");

    private static final int SHOWN_MAX = 2_000;

    private final Process process;
    private final Json started;

    private ServerProcess(Process process, Json started) {
        this.process = process;
        this.started = started;
    }

    /** Starts {@code tapbench up}, and returns when it is ready. Throws ServerUnavailable when it ends before. */
    static ServerProcess start(List<String> command) {
        String shown = String.join(" ", command);
        try {
            Path log = Files.createTempFile("tapbench", ".log");
            try {
                Process process = launch(command, log, shown);
                String line = process.inputReader(StandardCharsets.UTF_8).readLine();
                if (line != null && line.startsWith("{")) {
                    return new ServerProcess(process, Json.parse(line));
                }
                process.destroyForcibly();
                awaitEnd(process);
                throw new ServerUnavailable(shown + " up ended: " + printed(log));
            } finally {
                Files.delete(log);
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static Process launch(List<String> command, Path log, String shown) {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("up", "--ephemeral", "--json"));
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(log.toFile());
        builder.environment().putAll(SETTINGS);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return process;
        } catch (IOException error) {
            String problem = error.getMessage().replaceFirst("(?s).*error=\\d+, ", "");
            throw new ServerUnavailable(shown + " cannot be started: " + problem);
        }
    }

    private static String printed(Path log) throws IOException {
        String text = Files.readString(log).strip();
        return text.isEmpty() ? "it printed nothing" : text.substring(Math.max(0, text.length() - SHOWN_MAX));
    }

    /** Returns the address of the server. */
    String url() {
        return started.text("url");
    }

    /** Returns the secret key of its sandbox {@code default}. */
    String secretKey() {
        return started.text("secretKey");
    }

    /** Ends the server, and waits until it has ended. */
    void end() {
        process.destroy();
        awaitEnd(process);
    }

    private static void awaitEnd(Process process) {
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
