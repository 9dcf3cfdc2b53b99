package tapbench;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Online payments: what a shop's server does with the secret key, and its customer's browser with the public key.
 *
 * <p>A payment session is as the API returns it.
 */
public final class Checkout {
    private static final Pattern HIDDEN_FIELD =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");

    private static final Pattern FORM_ACTION = Pattern.compile("<form[^>]+action=\"([^\"]+)\"");

    /** The base64 of {@code {"threeDSCompInd":"Y"}}: the browser has sent its fingerprint. */
    private static final String FINGERPRINT = "eyJ0aHJlZURTQ29tcEluZCI6IlkifQ==";

    private final Client server;
    private final Client browser;

    Checkout(Client server, Client browser) {
        this.server = server;
        this.browser = browser;
    }

    /** Returns the checkout of a sub account. */
    public Checkout asAccount(String accountId) {
        return new Checkout(server.asAccount(accountId), browser.asAccount(accountId));
    }

    /** Creates a payment session in GBP; {@code amount} is in minor units. */
    public Json create(long amount) {
        return create(amount, Map.of());
    }

    /** Creates a payment session; {@code more} are further members of the request, such as {@code currency}. */
    public Json create(long amount, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("amount", amount);
        body.put("currency", "GBP");
        body.put("customerEmail", "sam@example.com");
        body.putAll(more);
        return server.post("/v1/payment-sessions", body);
    }

    /** Attempts to pay a session as the customer's browser does. Returns the session. */
    public Json attempt(Json session, Card card) {
        Map<String, ?> body = Map.of("clientSecret", session.text("clientSecret"), "cardDetails", card.details());
        return session.with(browser.post("/v1/payment-sessions/attempt-payment", body));
    }

    /** Creates a payment session in GBP and attempts to pay it. Returns the session. */
    public Json pay(long amount, Card card) {
        return pay(amount, card, Map.of());
    }

    /** Creates a payment session and attempts to pay it; {@code more} are further members of the request. */
    public Json pay(long amount, Card card, Map<String, ?> more) {
        return attempt(create(amount, more), card);
    }

    /**
     * Does what 3DS requires of a session: the code {@code 123456} is right, an empty one cancels. Returns the session.
     */
    public Json answerChallenge(Json session, String code) {
        Map<String, ?> secret = Map.of("clientSecret", session.text("clientSecret"));
        Json challenged = identified(session, secret);
        String url = challenged.text("requiredAction.challenge.acsUrl");
        String page = postForm(url, Map.of("creq", challenged.text("requiredAction.challenge.cReq")));
        Map<String, String> answer = new LinkedHashMap<>();
        HIDDEN_FIELD.matcher(page).results().forEach(field -> answer.put(field.group(1), field.group(2)));
        answer.put("answer", code.isEmpty() ? "cancel" : "approve");
        answer.put("code", code);
        Matcher action = FORM_ACTION.matcher(page);
        if (!action.find()) {
            throw new AssertionError("the issuer shows no form");
        }
        postForm(URI.create(url).resolve(action.group(1)).toString(), answer);
        return browser.get("/v1/payment-sessions/" + session.text("id"), secret);
    }

    private Json identified(Json session, Map<String, ?> secret) {
        Json latest = session;
        while ("Identify".equals(latest.value("requiredAction.type"))) {
            Map<String, Object> body = new LinkedHashMap<>(secret);
            body.put("threeDs", Map.of("fingerprint", FINGERPRINT));
            latest = latest.with(browser.post("/v1/payment-sessions/continue-payment", body));
        }
        return latest;
    }

    private static String postForm(String url, Map<String, String> fields) {
        Map<String, String> headers = Map.of("Content-Type", "application/x-www-form-urlencoded");
        return Http.send("POST", url, Client.bytes(Client.encoded(fields)), headers).text();
    }
}
