package tapbench;

/** Test cards for online payments. Written by {@code npm run docs}. */
public final class TestCards {
    /** Is approved without authentication. */
    public static final Card APPROVED = new Card("4242424242424242", "123");

    /** Its issuer challenges the cardholder (3DS). */
    public static final Card CHALLENGED = new Card("4918190000000002", "123");

    /** Is declined: {@code insufficient_funds}. */
    public static final Card DECLINED = new Card("4000000000001000", "100");

    private TestCards() {
    }
}
