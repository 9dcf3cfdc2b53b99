package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@WithSandbox
class WebhooksTest {
    private static final Map<String, String> SAM = Map.of("email", "sam@example.com");

    @Test
    void aWebhookWithAWrongSignatureFailsTheTest(Sandbox sandbox) {
        byte[] event = Client.bytes("{\"id\":\"evt_1\",\"eventType\":\"Customer.created\",\"data\":{}}");
        Map<String, String> headers = Map.of("Signature", "00", "Tapbench-Sandbox", sandbox.name());
        Http.send("POST", sandbox.webhooks().url(), event, headers);
        AssertionError thrown = assertThrows(AssertionError.class, () -> sandbox.webhooks().waitFor("Customer.created"));
        assertEquals("a webhook has a wrong signature", thrown.getMessage());
    }

    @Test
    void aSignatureIsTheHmacOfTheBody() {
        // As `printf '{}' | openssl dgst -sha256 -hmac whs_1` prints it.
        String signature = "99b0d3ff6199b9a3dc2c1e756b94201afc158f3d8fa7eca6106cb03eb2c252dd";
        assertTrue(Webhooks.verifySignature("whs_1", Client.bytes("{}"), signature));
        assertFalse(Webhooks.verifySignature("whs_2", Client.bytes("{}"), signature));
        assertFalse(Webhooks.verifySignature("whs_1", Client.bytes("{ }"), signature));
    }

    @Test
    void waitingForSeveralReturnsThemInTheOrderOfTheirArrival(Sandbox sandbox) {
        String first = sandbox.client().post("/v1/customers", SAM).text("id");
        sandbox.webhooks().waitFor("Customer.created");
        String second = sandbox.client().post("/v1/customers", Map.of("email", "kim@example.com")).text("id");
        List<Event> events = sandbox.webhooks().waitFor("Customer.created", 2);
        assertEquals(List.of(first, second), events.stream().map(event -> event.data().text("id")).toList());
        Event found = sandbox.webhooks().waitFor("Customer.created", event -> event.data().text("id").equals(second));
        assertEquals(events.get(1), found);
    }

    @Test
    void waitingForAWebhookEndsInWords(Sandbox sandbox) {
        sandbox.client().post("/v1/customers", SAM);
        sandbox.webhooks().waitFor("Customer.created");
        NotInTime thrown = assertThrows(NotInTime.class,
                () -> sandbox.webhooks().waitFor("Payout.created", event -> true, 1, Duration.ofMillis(50)));
        String message = thrown.getMessage();
        assertTrue(message.matches("1 × Payout.created did not arrive at http.* within 0.05 s; received: Customer.created"),
                message);
    }

    @Test
    void aForkReceivesItsOwnEventsAlone(Sandbox sandbox) {
        try (Sandbox fork = sandbox.fork()) {
            fork.client().post("/v1/customers", SAM);
            fork.webhooks().waitFor("Customer.created");
        }
        assertEquals(List.of(), sandbox.webhooks().received());
    }
}
