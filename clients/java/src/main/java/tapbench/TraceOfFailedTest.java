package tapbench;

import java.nio.file.Path;

/** Says in the output of a failed test where its trace file is. It is suppressed by the failure, and thrown nowhere. */
final class TraceOfFailedTest extends Exception {
    private static final long serialVersionUID = 1;

    TraceOfFailedTest(String test, Path file) {
        super("Tapbench trace of the failed test '" + test + "':\n  npx tapbench trace " + file + " --open", null, false, false);
    }

    /** Returns the message alone: a stack trace begins with this text. */
    @Override
    public String toString() {
        return getMessage();
    }
}
