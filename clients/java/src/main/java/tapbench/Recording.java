package tapbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a sandbox records of a test, for the trace file that is kept when the test fails. */
final class Recording {
    private static final String FOLDER = "tapbench-traces";

    private static final int TITLE_MAX = 200;
    private static final int FILE_NAME_MAX = 150;

    private final Client client;
    private final String id;
    private final String test;
    private final Path file;
    private boolean isKept = false;

    private Recording(Client client, String id, String test, Path file) {
        this.client = client;
        this.id = id;
        this.test = test;
        this.file = file;
    }

    /** Starts the recording of a test in a sandbox; none when TAPBENCH_TRACES is empty. */
    static Optional<Recording> start(Sandbox sandbox, String test) {
        String folder = System.getenv().getOrDefault("TAPBENCH_TRACES", FOLDER);
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        String title = test.substring(0, Math.min(TITLE_MAX, test.length()));
        String id = sandbox.client().post("/sandbox/recordings", Map.of("title", title)).text("id");
        return Optional.of(new Recording(sandbox.client(), id, test, Path.of(folder, fileName(test))));
    }

    private static String fileName(String test) {
        String name = test.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "").toLowerCase(Locale.ROOT);
        return name.substring(0, Math.min(FILE_NAME_MAX, name.length())) + ".tapbench";
    }

    /** Writes the trace file, and adds where it is to the output of a failure. */
    synchronized void keepFor(Throwable failure) {
        try {
            if (!isKept) {
                byte[] trace = client.download("/sandbox/recordings/" + id + "/file");
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.write(file, trace);
                isKept = true;
            }
            failure.addSuppressed(new TraceOfFailedTest(test, file));
        } catch (IOException | ApiError | ServerUnavailable error) {
            failure.addSuppressed(error);
        }
    }

    /** Deletes the file that an earlier run of the test left. */
    void discard() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException error) {
            throw new UncheckedIOException("the trace of an earlier run is still there", error);
        }
    }
}
