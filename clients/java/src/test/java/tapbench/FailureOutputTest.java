package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What tests that fail print, each run in a process of its own, one after the other. */
@Execution(ExecutionMode.SAME_THREAD)
class FailureOutputTest {
    @TempDir
    private Path folder;

    @Test
    void theOutputOfAFailedTestShowsWhyAndTheTraceAndNoKey() throws IOException, InterruptedException {
        Path keysFile = folder.resolve("keys");
        String output = run(Map.of("KEYS_FILE", keysFile.toString()), List.of(), FailingCases.class);
        assertContains(output, "[         3 tests failed          ]");
        assertContains(output, "expected: <[1]> but was: <[Sandbox(sandbox-");
        assertContains(output, "POST /v1/payment-sessions: 400 invalid_field: ");
        assertContains(output, "no Tapbench server replies at http://127.0.0.1:1 (");
        Path trace = folder.resolve("traces/tapbench-failingcases-isrefused.tapbench");
        assertContains(output, "Tapbench trace of the failed test 'tapbench.FailingCases.isRefused':\n  npx tapbench trace "
                + trace + " --open");
        assertEquals(3, traces().size());
        assertTrue(Files.size(trace) > 0);
        List<String> keys = new ArrayList<>(Files.readAllLines(keysFile));
        keys.add(Server.ofRun().client().key());
        assertEquals(7, keys.size());
        keys.forEach(key -> assertFalse(output.contains(key.substring(11)), "a key is printed"));
    }

    @Test
    void aFaultThatStruckNothingFailsItsTestAndATestThatPassesRemovesTheTraceOfItsFailure()
            throws IOException, InterruptedException {
        Path earlier = Files.createDirectories(folder.resolve("traces")).resolve("tapbench-unstruckcases-strikes.tapbench");
        Files.writeString(earlier, "of an earlier run");
        String output = run(Map.of(), List.of(), UnstruckCases.class);
        assertContains(output, "[         2 tests successful      ]");
        assertContains(output, "[         1 tests failed          ]");
        assertContains(output, "the test did not test these faults, which struck nothing (allowUnstruck permits it):\n  {");
        assertContains(output, "awaitingPin");
        assertEquals(List.of("tapbench-unstruckcases-misses.tapbench"), traces());
    }

    @Test
    void aRunThatKeepsNoTracesHasNone() throws IOException, InterruptedException {
        String output = run(Map.of("TAPBENCH_TRACES", ""), List.of(), UnstruckCases.class);
        assertContains(output, "[         1 tests failed          ]");
        assertFalse(output.contains("Tapbench trace"), output);
    }

    @Test
    void theTraceOfASharedSandboxIsThatOfItsClassAndTheSandboxOfATestIsNoParameterOfBeforeAll()
            throws IOException, InterruptedException {
        String output = run(Map.of(), List.of(), SharedCases.class, MisplacedCases.class);
        assertContains(output, "Tapbench trace of the failed test 'tapbench.SharedCases':");
        assertContains(output, "[         1 tests successful      ]");
        assertContains(output, "a test has its sandbox from @BeforeEach to @AfterEach: @WithSandbox(CLASS)");
        assertEquals(List.of("tapbench-sharedcases.tapbench"), traces());
    }

    @Test
    void aRunWithoutAServerSaysWhatToDo() throws IOException, InterruptedException {
        List<String> unset = List.of("TAPBENCH_URL", "TAPBENCH_KEY", "TAPBENCH_COMMAND");
        String output = run(Map.of("PATH", "/no"), unset, FailingCases.class);
        assertContains(output, "There is no Tapbench server for the tests. Start one with");
    }

    /** Runs the tests of classes on the server of this run, and returns what is printed. */
    private String run(Map<String, String> variables, List<String> unset, Class<?>... cases)
            throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(
                List.of(java, "-XX:TieredStopAtLevel=1", "-cp", classPath, RunCases.class.getName()));
        Stream.of(cases).map(Class::getName).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command);
        Client server = Server.ofRun().client();
        builder.environment().put("TAPBENCH_URL", server.url());
        builder.environment().put("TAPBENCH_KEY", server.key());
        builder.environment().put("TAPBENCH_TRACES", folder.resolve("traces").toString());
        builder.environment().putAll(variables);
        builder.environment().keySet().removeAll(unset);
        builder.directory(folder.toFile());
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor(), output);
        return output;
    }

    private List<String> traces() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("traces"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static void assertContains(String output, String words) {
        assertTrue(output.contains(words), () -> "not in the output: " + words + "\n" + output);
    }
}
