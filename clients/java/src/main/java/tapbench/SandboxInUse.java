package tapbench;

import java.util.Optional;

/** A sandbox that a test or a class uses, with the recording of it. */
record SandboxInUse(Sandbox sandbox, Optional<Recording> recording) {
    /** Begins the use of a sandbox; {@code user} is the name of the test or class. */
    static SandboxInUse begin(Sandbox sandbox, String user) {
        try {
            return new SandboxInUse(sandbox, Recording.start(sandbox, user));
        } catch (RuntimeException failure) {
            sandbox.delete();
            throw failure;
        }
    }

    /** Keeps the trace for a failure. */
    void failed(Throwable failure) {
        recording.ifPresent(kept -> kept.keepFor(failure));
    }

    /**
     * Ends the use: checks that faults struck unless there is a failure, keeps the trace of a failure, and deletes the sandbox.
     */
    void end(Optional<Throwable> failure, boolean hasFailed) {
        try {
            failure.ifPresent(this::failed);
            if (failure.isEmpty() && !hasFailed) {
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
