package tapbench;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** Tests that share a sandbox: one of two fails. FailureOutputTest runs them. */
@WithSandbox(SandboxScope.CLASS)
class SharedCases {
    @Test
    void passes(Sandbox sandbox) {
        sandbox.client().get("/v1/events");
    }

    @Test
    void fails(Sandbox sandbox) {
        fail("on purpose, in " + sandbox.name());
    }
}
