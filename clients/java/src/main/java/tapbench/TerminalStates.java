package tapbench;

/** Names of the states of a terminal, which are the parts of the dotted path of its state. Written by {@code npm run docs}. */
public final class TerminalStates {
    public static final String AWAITING_CARD = "awaitingCard";
    public static final String AT_DEVICE = "atDevice";
    public static final String OUTCOME_UNKNOWN = "outcomeUnknown";
    public static final String READING = "reading";
    public static final String AWAITING_PIN = "awaitingPin";
    public static final String VERIFYING_PIN = "verifyingPin";
    public static final String AUTHORISING = "authorising";
    public static final String COMPLETING_CARD = "completingCard";
    public static final String APPROVED = "approved";
    public static final String PRINTING = "printing";
    public static final String MERCHANT_COPY = "merchantCopy";
    public static final String CUSTOMER_COPY = "customerCopy";
    public static final String COMPLETING = "completing";
    public static final String AWAITING_MERCHANT_RECEIPT = "awaitingMerchantReceipt";
    public static final String AWAITING_CUSTOMER_RECEIPT = "awaitingCustomerReceipt";
    public static final String AWAITING_END = "awaitingEnd";
    public static final String ABANDONING = "abandoning";
    public static final String REVERSING = "reversing";
    public static final String DECLINED = "declined";
    public static final String CANCELLING = "cancelling";
    public static final String REVERSING_AT_DEVICE = "reversingAtDevice";
    public static final String FAILED = "failed";
    public static final String CANCELLED = "cancelled";
    public static final String SUCCEEDED = "succeeded";

    private TerminalStates() {
    }
}
