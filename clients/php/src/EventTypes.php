<?php

declare(strict_types=1);

namespace Tapbench;

/** Types of the events that the server sends. Written by `npm run docs`. */
final class EventTypes
{
    public const PAYMENT_SESSION_APPROVED = 'PaymentSession.approved';
    public const PAYMENT_SESSION_CAPTURED = 'PaymentSession.captured';
    public const PAYMENT_SESSION_CAPTURE_FAILED = 'PaymentSession.capture_failed';
    public const PAYMENT_SESSION_DECLINED = 'PaymentSession.declined';
    public const PAYMENT_SESSION_REQUIRES_ACTION = 'PaymentSession.requires_action';
    public const PAYMENT_SESSION_VOIDED = 'PaymentSession.voided';
    public const PAYMENT_SESSION_VOID_FAILED = 'PaymentSession.void_failed';
    public const PAYMENT_SESSION_REFUNDED = 'PaymentSession.refunded';
    public const PAYMENT_SESSION_REFUND_FAILED = 'PaymentSession.refund_failed';
    public const ACCOUNT_CREATED = 'Account.created';
    public const ACCOUNT_UPDATED = 'Account.updated';
    public const ACCOUNT_VERIFICATION_STATUS_UPDATED = 'Account.verification_status_updated';
    public const PERSON_CREATED = 'Person.created';
    public const PERSON_UPDATED = 'Person.updated';
    public const PERSON_DELETED = 'Person.deleted';
    public const PAYOUT_METHOD_CREATED = 'PayoutMethod.created';
    public const PAYOUT_METHOD_UPDATED = 'PayoutMethod.updated';
    public const PAYOUT_METHOD_DELETED = 'PayoutMethod.deleted';
    public const PAYOUT_CREATED = 'Payout.created';
    public const PAYOUT_STATUS_UPDATED = 'Payout.status_updated';
    public const CUSTOMER_CREATED = 'Customer.created';
    public const CUSTOMER_UPDATED = 'Customer.updated';
    public const CUSTOMER_DELETED = 'Customer.deleted';
    public const SUBSCRIPTION_CREATED = 'Subscription.created';
    public const SUBSCRIPTION_UPDATED = 'Subscription.updated';
    public const SUBSCRIPTION_PAUSED = 'Subscription.paused';
    public const SUBSCRIPTION_RESUMED = 'Subscription.resumed';
    public const SUBSCRIPTION_CANCELLED = 'Subscription.cancelled';
    public const SUBSCRIPTION_PAST_DUE = 'Subscription.past_due';
    public const SUBSCRIPTION_ENDED = 'Subscription.ended';
    public const TRANSFER_CREATED = 'Transfer.created';
    public const TRANSFER_UPDATED = 'Transfer.updated';
    public const DISPUTE_CREATED = 'Dispute.created';
    public const DISPUTE_CHALLENGED = 'Dispute.challenged';
    public const DISPUTE_CLOSED = 'Dispute.closed';
    public const PLATFORM_FEE_CREATED = 'PlatformFee.created';
    public const PLATFORM_FEE_REFUNDED = 'PlatformFee.refunded';
    public const CONVERSION_CREATED = 'Conversion.created';
    public const CONVERSION_UPDATED = 'Conversion.updated';
    public const TERMINAL_ACTION_UPDATED = 'Terminal.action_updated';

    /** All event types, in the order of the server's documentation. */
    public const ALL = [
        self::PAYMENT_SESSION_APPROVED,
        self::PAYMENT_SESSION_CAPTURED,
        self::PAYMENT_SESSION_CAPTURE_FAILED,
        self::PAYMENT_SESSION_DECLINED,
        self::PAYMENT_SESSION_REQUIRES_ACTION,
        self::PAYMENT_SESSION_VOIDED,
        self::PAYMENT_SESSION_VOID_FAILED,
        self::PAYMENT_SESSION_REFUNDED,
        self::PAYMENT_SESSION_REFUND_FAILED,
        self::ACCOUNT_CREATED,
        self::ACCOUNT_UPDATED,
        self::ACCOUNT_VERIFICATION_STATUS_UPDATED,
        self::PERSON_CREATED,
        self::PERSON_UPDATED,
        self::PERSON_DELETED,
        self::PAYOUT_METHOD_CREATED,
        self::PAYOUT_METHOD_UPDATED,
        self::PAYOUT_METHOD_DELETED,
        self::PAYOUT_CREATED,
        self::PAYOUT_STATUS_UPDATED,
        self::CUSTOMER_CREATED,
        self::CUSTOMER_UPDATED,
        self::CUSTOMER_DELETED,
        self::SUBSCRIPTION_CREATED,
        self::SUBSCRIPTION_UPDATED,
        self::SUBSCRIPTION_PAUSED,
        self::SUBSCRIPTION_RESUMED,
        self::SUBSCRIPTION_CANCELLED,
        self::SUBSCRIPTION_PAST_DUE,
        self::SUBSCRIPTION_ENDED,
        self::TRANSFER_CREATED,
        self::TRANSFER_UPDATED,
        self::DISPUTE_CREATED,
        self::DISPUTE_CHALLENGED,
        self::DISPUTE_CLOSED,
        self::PLATFORM_FEE_CREATED,
        self::PLATFORM_FEE_REFUNDED,
        self::CONVERSION_CREATED,
        self::CONVERSION_UPDATED,
        self::TERMINAL_ACTION_UPDATED,
    ];
}
