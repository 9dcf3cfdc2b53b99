package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@WithSandbox
class SandboxTest {
    private static final Map<String, String> SAM = Map.of("email", "sam@example.com");

    @Test
    void aSandboxHasNothingOfAnother(Sandbox sandbox, Server server) {
        String id = sandbox.client().post("/v1/customers", SAM).text("id");
        try (Sandbox other = server.createSandbox()) {
            ApiError refused = assertThrows(ApiError.class, () -> other.client().get("/v1/customers/" + id));
            assertEquals(404, refused.status());
            assertEquals("not_found", refused.code());
        }
    }

    @Test
    void aDeletedSandboxIsGone(Server server) {
        Sandbox other = server.createSandbox();
        other.delete();
        ApiError refused = assertThrows(ApiError.class, () -> other.client().get("/v1/customers"));
        assertTrue(refused.getMessage().contains("403 forbidden"), refused.getMessage());
    }

    @Test
    void aSandboxThatIsLeftBehindExpiresWithinAnHour(Sandbox sandbox, Server server) {
        Json kept = server.client().get("/sandboxes/" + sandbox.name());
        assertEquals(3_600, kept.number("expiresTimestamp") - kept.number("createdTimestamp"), 60);
    }

    @Test
    void theClockAdvancesByDaysInThisSandboxAlone(Sandbox sandbox, Server server) {
        long before = server.client().get("/sandbox/clock").number("offsetSeconds");
        Instant at = sandbox.now();
        sandbox.advance(Duration.ofDays(3).plusHours(1));
        assertFalse(sandbox.now().isBefore(at.plus(Duration.ofHours(73))));
        assertEquals(before, server.client().get("/sandbox/clock").number("offsetSeconds"));
    }

    @Test
    void aRefusedRequestThrowsInWords(Sandbox sandbox) {
        ApiError refused = assertThrows(ApiError.class, () -> sandbox.checkout().create(-1));
        String message = refused.getMessage();
        assertTrue(message.matches("POST /v1/payment-sessions: 400 invalid_field: .*amount.*"), message);
    }

    @Test
    void theClientUploadsAFile(Sandbox sandbox) {
        byte[] slip = Client.bytes("signed by Sam");
        Json uploaded = sandbox.client().upload("Evidence", "slip.csv", slip, "text/csv");
        assertEquals(uploaded.text("id"), sandbox.client().get("/v1/files/" + uploaded.text("id")).text("id"));
    }

    @Test
    void theClientActsForASubAccount(Sandbox sandbox) {
        Client shop = sandbox.client().asAccount(sandbox.subAccountId());
        shop.post("/v1/customers", SAM);
        assertEquals(1, shop.get("/v1/customers", Map.of("limit", 5)).objects("items").size());
        assertEquals(List.of(), sandbox.client().get("/v1/customers").objects("items"));
    }

    @Test
    void aSandboxIsCreatedWithOptions(Server server) {
        try (Sandbox sandbox = server.createSandbox(Map.of("clock", 1_700_000_000))) {
            assertTrue(sandbox.now().isBefore(Instant.ofEpochSecond(1_700_000_600)), "the clock begins as given");
        }
    }

    @Test
    void webhooksAreRegisteredForAllEventTypes(Sandbox sandbox) {
        Json api = sandbox.client().get("/openapi.json");
        assertEquals(EventTypes.ALL, api.value("components.schemas.Webhook.properties.eventTypes.items.enum"));
    }

    @Test
    void waitingForAConditionEndsInWords() {
        NotInTime thrown = assertThrows(NotInTime.class, () -> Wait.until("it snows", () -> false, Duration.ofMillis(50)));
        assertEquals("waited 0.05 s, but not: it snows", thrown.getMessage());
    }

    @Test
    void aSandboxIsShownWithoutItsKeys(Sandbox sandbox) {
        Json created = Json.of(Map.of("secretKey", sandbox.secretKey(), "items", List.of(Map.of("secret", "whs_1"))));
        assertFalse(created.toString().contains("whs_1"), created.toString());
        String shown = created + " " + sandbox + sandbox.client() + sandbox.webhooks() + sandbox.terminal();
        for (String key : List.of(sandbox.secretKey(), sandbox.publicKey())) {
            assertFalse(shown.contains(key.substring(11)), "a key is shown");
        }
    }
}
