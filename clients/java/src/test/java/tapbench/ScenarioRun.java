package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Runs a scenario of clients/scenarios.json on one sandbox with the helpers of this package. */
final class ScenarioRun {
    private final Sandbox sandbox;
    private final Terminal terminal;
    private final Saved saved;

    ScenarioRun(Sandbox sandbox) {
        this(sandbox, new Saved());
    }

    private ScenarioRun(Sandbox sandbox, Saved saved) {
        this.sandbox = sandbox;
        this.saved = saved;
        terminal = sandbox.terminal();
        saved.put("sandbox", Json.of(Map.of("subAccountId", sandbox.subAccountId())));
        saved.put("terminal", Json.of(Map.of("id", terminal.id())));
    }

    void run(List<Json> steps) {
        for (Json step : steps) {
            // The steps of a fork are filled when it runs them.
            if (step.text("do").equals("fork")) {
                fork(step);
            } else {
                perform(new ScenarioStep(step, saved));
            }
        }
    }

    private void fork(Json step) {
        if (step.value("fails") == null) {
            runFork(step);
        } else {
            assertEquals("unstruck", step.text("fails"));
            assertThrows(UnstruckFaults.class, () -> runFork(step));
        }
    }

    private void runFork(Json step) {
        Map<String, Object> options = step.value("with") == null ? Map.of() : step.object("with").members();
        try (Sandbox fork = sandbox.fork(options)) {
            new ScenarioRun(fork, saved.copy()).run(step.objects("steps"));
        }
    }

    private void download(String path) {
        byte[] trace = sandbox.client().download(path);
        assertEquals("1f8b", HexFormat.of().formatHex(trace, 0, 2), "the trace is compressed");
    }

    private void perform(ScenarioStep step) {
        switch (step.name()) {
            case "pay" -> started(terminal.pay(step.number("amount"), step.members("with")));
            case "refund" -> started(refund(step));
            case "cancel" -> terminal.cancel();
            case "confirm-receipt" -> terminal.confirmReceipt(step.text("copy"));
            case "present" -> terminal.present(step.text("card"));
            case "enter-pin" -> terminal.enterPin(step.text("pin"));
            case "press" -> terminal.press(step.texts("keys"));
            case "paper" -> terminal.paper((int) step.number("sheets"));
            case "network" -> terminal.network(step.flag("on"));
            case "reader" -> terminal.reader(step.flag("on"));
            case "remove-card" -> terminal.removeCard();
            case "cardholder" -> terminal.cardholder(step.text("script"), step.only("card", "delayMs"));
            case "comes-online" -> terminal.comesOnline();
            case "receipt" -> step.expected().assertMatches(terminal.receipt().members());
            case "pace" -> assertEquals(step.text("expect"), sandbox.pace());
            case "plan" -> sandbox.beginPlan(step.members("plan"));
            case "unstruck" -> step.expectedList().assertMatches(sandbox.unstruck().stream().map(Json::members).toList());
            case "allow-unstruck" -> sandbox.allowUnstruck();
            case "faults" -> sandbox.faults(step.objects("faults"));
            case "download" -> download(step.text("path"));
            case "power" -> terminal.power(step.flag("on"));
            case "reaches" -> terminal.reaches(step.text("state"));
            case "ends" -> step.expected().assertMatches(terminal.ends().json().members());
            case "checkout" -> checkout(step);
            case "attempt" -> attempt(step);
            case "answer-challenge" -> answerChallenge(step);
            case "call" -> call(step);
            case "eventually" -> eventually(step);
            case "advance" -> sandbox.advance(step.duration(""));
            case "receives" -> receives(step);
            case "reply" -> sandbox.webhooks().replyWith(step.statuses());
            default -> throw new AssertionError("unknown step: " + step.name());
        }
    }

    private Action refund(ScenarioStep step) {
        String session = saved.get("session").text("id");
        return step.has("amount") ? terminal.refund(session, step.number("amount")) : terminal.refund(session);
    }

    private void started(Action action) {
        saved.put("session", Json.of(Map.of("id", action.paymentSessionId())));
    }

    private void checkout(ScenarioStep step) {
        Checkout shop = step.has("account") ? sandbox.checkout().asAccount(step.text("account")) : sandbox.checkout();
        paid(shop.pay(step.number("amount"), step.card(), step.members("with")), step);
    }

    private void attempt(ScenarioStep step) {
        Json session = step.has("session") ? Json.of(step.members("session")) : saved.get("session");
        paid(sandbox.checkout().attempt(session, step.card()), step);
    }

    private void paid(Json session, ScenarioStep step) {
        saved.put("session", session);
        step.expected().assertMatches(session.members());
    }

    private void answerChallenge(ScenarioStep step) {
        Json answered = sandbox.checkout().answerChallenge(saved.get("session"), step.text("code"));
        step.expected().assertMatches(answered.members());
    }

    private void call(ScenarioStep step) {
        Map<String, Object> body = step.has("body") ? step.members("body") : null;
        String key = step.has("idempotencyKey") ? step.text("idempotencyKey") : null;
        Json reply;
        try {
            reply = clientOf(step).request(step.text("method"), step.text("path"), body, key);
        } catch (ApiError error) {
            if (!step.has("refused")) {
                throw error;
            }
            new Expected(step.members("refused")).assertMatches(Map.of("status", (long) error.status(), "code", error.code()));
            return;
        }
        if (step.has("refused")) {
            throw new AssertionError(step.text("method") + " " + step.text("path") + " was not refused");
        }
        step.expected().assertMatches(reply.members());
        if (step.has("save")) {
            saved.put(step.text("save"), reply);
        }
    }

    private void eventually(ScenarioStep step) {
        Client client = clientOf(step);
        String path = step.text("path");
        Wait.until(path + " is " + step.members("expect"), () -> step.expected().matches(client.get(path).members()));
    }

    private void receives(ScenarioStep step) {
        Webhooks webhooks = sandbox.webhooks();
        String type = step.text("type");
        int count = step.has("count") ? (int) step.number("count") : 1;
        if (step.has("advancing")) {
            Duration by = step.duration("advancing.");
            sandbox.advanceUntil(count + " × " + type + " arrived", () -> webhooks.received(type).size() >= count, by);
        }
        webhooks.waitFor(type, event -> step.expected().matches(event.data().members()), count, Wait.TIMEOUT);
    }

    private Client clientOf(ScenarioStep step) {
        return step.has("account") ? sandbox.client().asAccount(step.text("account")) : sandbox.client();
    }
}
