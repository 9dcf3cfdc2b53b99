package tapbench;

/** What a simulated cardholder does by itself. Written by {@code npm run docs}. */
public final class CardholderScripts {
    public static final String TAP = "tap";
    public static final String CONTACT_PIN = "contact-pin";
    public static final String WRONG_PIN_TWICE = "wrong-pin-twice";
    public static final String REMOVE_EARLY = "remove-early";
    public static final String WALK_AWAY = "walk-away";
    public static final String PRESS_CANCEL = "press-cancel";
    public static final String NONE = "none";

    private CardholderScripts() {
    }
}
