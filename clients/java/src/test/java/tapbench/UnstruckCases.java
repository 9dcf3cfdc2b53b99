package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests with a plan of faults: of the first, none strikes. FailureOutputTest runs them. */
@WithSandbox
class UnstruckCases {
    private static final Map<String, ?> FAULT =
            Map.of("at", "terminal.state", "what", "power-cut", "when", Map.of("state", "awaitingPin"));

    @Test
    void misses(Sandbox sandbox) {
        assertEquals("Active", sandbox.faults(FAULT).text("status"));
    }

    @Test
    void permits(Sandbox sandbox) {
        sandbox.allowUnstruck();
        assertEquals("Active", sandbox.faults(FAULT).text("status"));
    }

    @Test
    void strikes(Sandbox sandbox) {
        sandbox.faults(Map.of("at", "api.request", "what", "unavailable", "when", Map.of("operation", "GET /v1/events")));
        assertThrows(ApiError.class, () -> sandbox.client().get("/v1/events"));
        assertEquals(List.of(), sandbox.unstruck());
    }
}
