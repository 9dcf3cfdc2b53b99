package tapbench;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Asks for the sandbox of a test where there is no test. FailureOutputTest runs it. */
@WithSandbox
class MisplacedCases {
    @BeforeAll
    static void prepare(Sandbox sandbox) {
        sandbox.client().get("/v1/events");
    }

    @Test
    void isNotReached() {
    }
}
