<?php

declare(strict_types=1);

namespace Tapbench;

/** Types of the events that the server sends. Written by `npm run docs`. */
final class EventTypes
{
    /** All event types, in the order of the server's documentation. */
    public const ALL = [
        'PaymentSession.approved',
        'PaymentSession.captured',
        'PaymentSession.capture_failed',
        'PaymentSession.declined',
        'PaymentSession.requires_action',
        'PaymentSession.voided',
        'PaymentSession.void_failed',
        'PaymentSession.refunded',
        'PaymentSession.refund_failed',
        'Account.created',
        'Account.updated',
        'Account.verification_status_updated',
        'Person.created',
        'Person.updated',
        'Person.deleted',
        'PayoutMethod.created',
        'PayoutMethod.updated',
        'PayoutMethod.deleted',
        'Payout.created',
        'Payout.status_updated',
        'Customer.created',
        'Customer.updated',
        'Customer.deleted',
        'Subscription.created',
        'Subscription.updated',
        'Subscription.paused',
        'Subscription.resumed',
        'Subscription.cancelled',
        'Subscription.past_due',
        'Subscription.ended',
        'Transfer.created',
        'Transfer.updated',
        'Dispute.created',
        'Dispute.challenged',
        'Dispute.closed',
        'PlatformFee.created',
        'PlatformFee.refunded',
        'Conversion.created',
        'Conversion.updated',
        'Terminal.action_updated',
    ];
}
