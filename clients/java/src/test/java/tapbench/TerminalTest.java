package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

@WithSandbox
class TerminalTest {
    @Test
    void aKeyPressedAfterThePaymentFailsAtOnce(Sandbox sandbox) {
        Terminal terminal = sandbox.terminal();
        terminal.pay(1742);
        terminal.present("visa-contactless");
        terminal.ends();
        NotInTime thrown = assertThrows(NotInTime.class, () -> terminal.enterPin("1234"));
        assertTrue(thrown.getMessage().contains("the action is Succeeded"), thrown.getMessage());
    }

    @Test
    void theReceiptOfAPaymentHasItsAmount(Sandbox sandbox) {
        Terminal terminal = sandbox.terminal();
        terminal.pay(1742);
        terminal.present("visa-contactless");
        assertEquals("Succeeded", terminal.ends().status());
        assertTrue(terminal.receipt().text("customerCopy").contains("17.42"));
    }

    @Test
    void aCardholderPaysByItselfWithAScript(Sandbox sandbox) {
        Terminal terminal = sandbox.terminal();
        terminal.cardholder("contact-pin", Map.of("delayMs", 10));
        terminal.pay(1742);
        assertEquals("Succeeded", terminal.ends().status());
    }

    @Test
    void thePaymentEndsWithoutItsWebhook(Sandbox sandbox) {
        String endpoint = sandbox.client().get("/v1/webhooks").text("items.0.id");
        sandbox.client().delete("/v1/webhooks/" + endpoint);
        Terminal terminal = sandbox.terminal();
        terminal.pay(1742);
        terminal.present("visa-contactless");
        assertEquals("Succeeded", terminal.ends().status());
    }
}
