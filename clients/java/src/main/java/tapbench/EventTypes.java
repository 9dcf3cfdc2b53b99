package tapbench;

import java.util.List;

/** Types of the events that the server sends. Written by {@code npm run docs}. */
public final class EventTypes {
    public static final String PAYMENT_SESSION_APPROVED = "PaymentSession.approved";
    public static final String PAYMENT_SESSION_CAPTURED = "PaymentSession.captured";
    public static final String PAYMENT_SESSION_CAPTURE_FAILED = "PaymentSession.capture_failed";
    public static final String PAYMENT_SESSION_DECLINED = "PaymentSession.declined";
    public static final String PAYMENT_SESSION_REQUIRES_ACTION = "PaymentSession.requires_action";
    public static final String PAYMENT_SESSION_VOIDED = "PaymentSession.voided";
    public static final String PAYMENT_SESSION_VOID_FAILED = "PaymentSession.void_failed";
    public static final String PAYMENT_SESSION_REFUNDED = "PaymentSession.refunded";
    public static final String PAYMENT_SESSION_REFUND_FAILED = "PaymentSession.refund_failed";
    public static final String ACCOUNT_CREATED = "Account.created";
    public static final String ACCOUNT_UPDATED = "Account.updated";
    public static final String ACCOUNT_VERIFICATION_STATUS_UPDATED = "Account.verification_status_updated";
    public static final String PERSON_CREATED = "Person.created";
    public static final String PERSON_UPDATED = "Person.updated";
    public static final String PERSON_DELETED = "Person.deleted";
    public static final String PAYOUT_METHOD_CREATED = "PayoutMethod.created";
    public static final String PAYOUT_METHOD_UPDATED = "PayoutMethod.updated";
    public static final String PAYOUT_METHOD_DELETED = "PayoutMethod.deleted";
    public static final String PAYOUT_CREATED = "Payout.created";
    public static final String PAYOUT_STATUS_UPDATED = "Payout.status_updated";
    public static final String CUSTOMER_CREATED = "Customer.created";
    public static final String CUSTOMER_UPDATED = "Customer.updated";
    public static final String CUSTOMER_DELETED = "Customer.deleted";
    public static final String SUBSCRIPTION_CREATED = "Subscription.created";
    public static final String SUBSCRIPTION_UPDATED = "Subscription.updated";
    public static final String SUBSCRIPTION_PAUSED = "Subscription.paused";
    public static final String SUBSCRIPTION_RESUMED = "Subscription.resumed";
    public static final String SUBSCRIPTION_CANCELLED = "Subscription.cancelled";
    public static final String SUBSCRIPTION_PAST_DUE = "Subscription.past_due";
    public static final String SUBSCRIPTION_ENDED = "Subscription.ended";
    public static final String TRANSFER_CREATED = "Transfer.created";
    public static final String TRANSFER_UPDATED = "Transfer.updated";
    public static final String DISPUTE_CREATED = "Dispute.created";
    public static final String DISPUTE_CHALLENGED = "Dispute.challenged";
    public static final String DISPUTE_CLOSED = "Dispute.closed";
    public static final String PLATFORM_FEE_CREATED = "PlatformFee.created";
    public static final String PLATFORM_FEE_REFUNDED = "PlatformFee.refunded";
    public static final String CONVERSION_CREATED = "Conversion.created";
    public static final String CONVERSION_UPDATED = "Conversion.updated";
    public static final String TERMINAL_ACTION_UPDATED = "Terminal.action_updated";

    /** All event types, in the order of the server's documentation. */
    public static final List<String> ALL = List.of(
            PAYMENT_SESSION_APPROVED,
            PAYMENT_SESSION_CAPTURED,
            PAYMENT_SESSION_CAPTURE_FAILED,
            PAYMENT_SESSION_DECLINED,
            PAYMENT_SESSION_REQUIRES_ACTION,
            PAYMENT_SESSION_VOIDED,
            PAYMENT_SESSION_VOID_FAILED,
            PAYMENT_SESSION_REFUNDED,
            PAYMENT_SESSION_REFUND_FAILED,
            ACCOUNT_CREATED,
            ACCOUNT_UPDATED,
            ACCOUNT_VERIFICATION_STATUS_UPDATED,
            PERSON_CREATED,
            PERSON_UPDATED,
            PERSON_DELETED,
            PAYOUT_METHOD_CREATED,
            PAYOUT_METHOD_UPDATED,
            PAYOUT_METHOD_DELETED,
            PAYOUT_CREATED,
            PAYOUT_STATUS_UPDATED,
            CUSTOMER_CREATED,
            CUSTOMER_UPDATED,
            CUSTOMER_DELETED,
            SUBSCRIPTION_CREATED,
            SUBSCRIPTION_UPDATED,
            SUBSCRIPTION_PAUSED,
            SUBSCRIPTION_RESUMED,
            SUBSCRIPTION_CANCELLED,
            SUBSCRIPTION_PAST_DUE,
            SUBSCRIPTION_ENDED,
            TRANSFER_CREATED,
            TRANSFER_UPDATED,
            DISPUTE_CREATED,
            DISPUTE_CHALLENGED,
            DISPUTE_CLOSED,
            PLATFORM_FEE_CREATED,
            PLATFORM_FEE_REFUNDED,
            CONVERSION_CREATED,
            CONVERSION_UPDATED,
            TERMINAL_ACTION_UPDATED);

    private EventTypes() {
    }
}
