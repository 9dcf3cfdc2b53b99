package tapbench;

/** Last three digits of the amounts with which a payment at a terminal is declined or fails, by its error. Written by {@code npm run docs}. */
public final class MagicAmounts {
    public static final int INSUFFICIENT_FUNDS = 901;
    public static final int EXPIRED_CARD = 902;
    public static final int RESTRICTED_CARD = 903;
    public static final int STOLEN_CARD = 904;
    public static final int SUSPECTED_FRAUD = 905;
    public static final int ISSUER_ERROR = 906;
    public static final int THREE_DS_AUTHENTICATION_REQUIRED = 907;
    public static final int LIMIT_EXCEEDED = 908;
    public static final int RISK_DECLINED = 909;
    public static final int GATEWAY_REJECT = 910;
    public static final int TIMEOUT = 920;
    public static final int TERMINAL_OFFLINE = 921;
    public static final int CANCELLED_ON_TERMINAL = 922;

    private MagicAmounts() {
    }
}
