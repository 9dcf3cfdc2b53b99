package tapbench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A simulated terminal with the calls of a point of sale, and what its cardholder and its surroundings do. */
public final class Terminal {
    private static final Map<String, String> STATE_OF_COPY =
            Map.of("merchantCopy", "awaitingMerchantReceipt", "customerCopy", "awaitingCustomerReceipt");

    /** The most that one request waits. */
    private static final int REQUEST_WAITS_SECONDS = 10;

    /** An action ends without a step of a terminal that has no power. */
    private static final int LOOK_AT_ACTION_EVERY_SECONDS = 1;

    private final Client client;
    private final Webhooks webhooks;
    private final String id;
    private final String path;
    private final String controls;

    Terminal(Client client, Webhooks webhooks, String id) {
        this.client = client;
        this.webhooks = webhooks;
        this.id = id;
        path = "/v1/in-person/terminals/" + id;
        controls = "/sandbox/terminals/" + id;
    }

    /** Returns the id of the terminal. */
    public String id() {
        return id;
    }

    // What the point of sale does

    /** Starts a payment in GBP; {@code amount} is in minor units. */
    public Action pay(long amount) {
        return pay(amount, Map.of());
    }

    /** Starts a payment; {@code more} are further members of the request, such as {@code currency}. */
    public Action pay(long amount, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("amounts", Map.of("requested", amount));
        body.put("currency", "GBP");
        body.putAll(more);
        return act("payment", body);
    }

    /** Starts the refund of all that is left of a captured payment. */
    public Action refund(String paymentSessionId) {
        return refund(paymentSessionId, Map.of());
    }

    /** Starts the refund of a part of a captured payment. */
    public Action refund(String paymentSessionId, long amount) {
        return refund(paymentSessionId, Map.of("amount", amount));
    }

    /** Starts a refund; {@code more} are further members of the request, such as {@code amount}. */
    public Action refund(String paymentSessionId, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>(more);
        body.put("paymentSession", Map.of("id", paymentSessionId));
        return act("refund", body);
    }

    /** Cancels the action in progress, as the cashier. */
    public Action cancel() {
        return act("cancel-action", null);
    }

    /** Confirms that the point of sale printed a receipt {@code copy}: {@code merchantCopy} or {@code customerCopy}. */
    public Action confirmReceipt(String copy) {
        return confirmReceipt(copy, "Succeeded");
    }

    /** Confirms whether the point of sale printed a receipt copy: {@code Succeeded} or {@code Failed}. */
    public Action confirmReceipt(String copy, String status) {
        reaches(STATE_OF_COPY.get(copy));
        return act("confirm-receipt", Map.of(copy, Map.of("status", status)));
    }

    private Action act(String call, Map<String, ?> body) {
        return Action.of(client.request("POST", path + "/" + call, body, null).object("action"));
    }

    /** Returns the latest action. */
    public Action action() {
        return Action.of(client.get(path).object("action"));
    }

    /** Waits until the latest action is not in progress any more, and returns it. */
    public Action ends() {
        return webhooks.find("the action of the terminal has ended", () -> {
            Action action = action();
            return action.status().equals("InProgress") ? Optional.empty() : Optional.of(action);
        });
    }

    /** Returns the receipt of the latest action: {@code merchantCopy}, {@code customerCopy} and their fields. */
    public Json receipt() {
        return client.get("/sandbox/actions/" + action().id() + "/receipt");
    }

    // What the cardholder does

    /** Presents a card, which is read as soon as the terminal asks for one. */
    public void present(String card) {
        control("present-card", Map.of("card", card));
    }

    /** Presents a card in a way, such as {@code contact}. */
    public void present(String card, String entryMode) {
        control("present-card", Map.of("card", card, "entryMode", entryMode));
    }

    /** Removes the card from the reader. */
    public void removeCard() {
        control("remove-card", null);
    }

    /** Waits until the terminal asks for a PIN, and enters it. */
    public void enterPin(String pin) {
        List<String> keys = new ArrayList<>(Arrays.asList(pin.split("")));
        keys.add("enter");
        press(keys.toArray(String[]::new));
    }

    /** Waits until the terminal accepts keys, and presses them: digits, {@code enter}, {@code clear}, {@code cancel}. */
    public void press(String... keys) {
        long end = System.nanoTime() + Wait.TIMEOUT.toNanos();
        Map<String, ?> accepting = Map.of("state", String.join(",", statesThatAccept(keys)),
                "waitSeconds", LOOK_AT_ACTION_EVERY_SECONDS);
        while (!isPressed(keys, end)) {
            client.get(controls, accepting);
            // The last state that the server knows can be one that the terminal has left.
            Wait.pause(Duration.ofMillis(5));
        }
    }

    /** Returns the states in which keys can be accepted, and those in which they never will be. */
    private static List<String> statesThatAccept(String... keys) {
        List<String> states = new ArrayList<>(List.of(TerminalStates.AWAITING_PIN, TerminalStates.SUCCEEDED,
                TerminalStates.FAILED, TerminalStates.CANCELLED));
        if (Arrays.asList(keys).contains("cancel")) {
            states.add(TerminalStates.AWAITING_CARD);
        }
        return states;
    }

    private boolean isPressed(String[] keys, long end) {
        try {
            control("press-keys", Map.of("keys", Arrays.asList(keys)));
            return true;
        } catch (ApiError refused) {
            String status = action().status();
            if (!status.equals("InProgress") || System.nanoTime() > end) {
                throw new NotInTime("no key was pressed: " + refused.reason() + " (the action is " + status + ")");
            }
            return false;
        }
    }

    /** Sets what the simulated cardholder does by itself from now on, such as {@code tap}; {@code none} at first. */
    public void cardholder(String script) {
        cardholder(script, Map.of());
    }

    /** Sets what the simulated cardholder does; {@code more} are {@code card} and {@code delayMs}. */
    public void cardholder(String script, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>(more);
        body.put("script", script);
        control("cardholder", body);
    }

    // Its surroundings

    /** Switches the power on or off. */
    public void power(boolean on) {
        control("power", Map.of("state", on ? "on" : "off"));
    }

    /** Connects or disconnects the network. */
    public void network(boolean on) {
        control("network", Map.of("state", on ? "on" : "off"));
    }

    /** Plugs the card reader in, or takes it away. */
    public void reader(boolean pluggedIn) {
        control("reader", Map.of("state", pluggedIn ? "plugged-in" : "unplugged"));
    }

    /** Sets the number of sheets of paper in the printer; a receipt copy takes one. */
    public void paper(int sheets) {
        control("paper", Map.of("sheets", sheets));
    }

    private void control(String call, Map<String, ?> body) {
        client.request("POST", controls + "/" + call, body, null);
    }

    /** Returns whether the terminal is connected to the server. */
    public boolean isOnline() {
        return client.get(controls).flag("online");
    }

    /** Returns the state of the terminal's state machine, such as {@code awaitingPin}; empty when none is known. */
    public Optional<String> state() {
        return Optional.ofNullable((String) client.get(controls).value("state"));
    }

    /** Waits until the terminal's state machine is in a state, named by a part of its dotted path. */
    public void reaches(String state) {
        waitFor("the terminal is in state " + state, "state", state,
                seen -> seen.value("state") instanceof String path && Arrays.asList(path.split("\\.")).contains(state));
    }

    /** Waits until the terminal is connected to the server. */
    public void comesOnline() {
        waitFor("the terminal is online", "online", "true", seen -> seen.flag("online"));
    }

    /** Lets the server reply when the terminal is as wanted. */
    private void waitFor(String what, String wanted, String value, Predicate<Json> isSo) {
        long end = System.nanoTime() + Wait.TIMEOUT.toNanos();
        do {
            if (isSo.test(client.get(controls, Map.of(wanted, value, "waitSeconds", secondsUntil(end))))) {
                return;
            }
        } while (System.nanoTime() < end);
        throw Wait.notInTime(what, Wait.TIMEOUT);
    }

    private static long secondsUntil(long end) {
        double left = Math.ceil((end - System.nanoTime()) / 1e9);
        return Math.max(0, Math.min(REQUEST_WAITS_SECONDS, (long) left));
    }

    @Override
    public String toString() {
        return "Terminal(" + id + ")";
    }
}
