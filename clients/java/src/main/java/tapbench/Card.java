package tapbench;

import java.util.Map;

/**
 * A test card for online payments. docs/online-payments.md lists more.
 *
 * @param expiryMonth such as {@code 12}
 * @param expiryYear such as {@code 2035}
 */
public record Card(String number, String cvc, String expiryMonth, String expiryYear) {
    /** Creates a card that expires in years. */
    public Card(String number, String cvc) {
        this(number, cvc, "12", "2035");
    }

    /** Returns the card as the API expects it. */
    public Map<String, String> details() {
        return Map.of("number", number, "cvc", cvc, "expiryMonth", expiryMonth, "expiryYear", expiryYear);
    }
}
