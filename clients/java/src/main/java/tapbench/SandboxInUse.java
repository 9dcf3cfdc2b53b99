package tapbench;

import java.util.Optional;
import java.util.function.Supplier;

/** The sandbox that a test or a class uses, with the recording of it. It is created when something first asks for it. */
final class SandboxInUse {
    private Sandbox sandbox;
    private Optional<Recording> recording = Optional.empty();

    /** Whether a test failed that shares it with others. */
    private boolean hasFailed = false;

    /** Returns the sandbox; {@code user} is the name of the test or class. After a failure the next call tries again. */
    synchronized Sandbox get(Supplier<Sandbox> create, String user) {
        if (sandbox == null) {
            Sandbox created = create.get();
            try {
                recording = Recording.start(created, user);
            } catch (RuntimeException failure) {
                created.delete();
                throw failure;
            }
            sandbox = created;
        }
        return sandbox;
    }

    /** Keeps the trace for the failure of a test. */
    synchronized void failed(Throwable failure) {
        hasFailed = true;
        recording.ifPresent(kept -> kept.keepFor(failure));
    }

    /** Ends the use: checks that faults struck unless a test failed, and deletes the sandbox. */
    synchronized void end() {
        if (sandbox == null) {
            return;
        }
        try {
            if (!hasFailed) {
                expectStruck();
                recording.ifPresent(Recording::discard);
            }
        } finally {
            sandbox.delete();
        }
    }

    private void expectStruck() {
        try {
            sandbox.expectStruck();
        } catch (UnstruckFaults unstruck) {
            failed(unstruck);
            throw unstruck;
        }
    }
}
