package tapbench;

/** Cards that a simulated cardholder presents at a terminal. Written by {@code npm run docs}. */
public final class SimulatedCards {
    public static final String VISA_CONTACTLESS = "visa-contactless";
    public static final String MASTERCARD_CONTACTLESS = "mastercard-contactless";
    public static final String AMEX_CONTACTLESS = "amex-contactless";
    public static final String VISA_CONTACT_PIN = "visa-contact-pin";
    public static final String MASTERCARD_CONTACT_PIN = "mastercard-contact-pin";
    public static final String AMEX_CONTACT_PIN = "amex-contact-pin";
    public static final String VISA_SWIPE = "visa-swipe";
    public static final String APPLE_PAY = "apple-pay";
    public static final String GOOGLE_PAY = "google-pay";
    public static final String VISA_EXPIRED = "visa-expired";
    public static final String VISA_BLOCKED_PIN = "visa-blocked-pin";
    public static final String VISA_UNREADABLE = "visa-unreadable";
    public static final String VISA_DECLINED = "visa-declined";

    private SimulatedCards() {
    }
}
