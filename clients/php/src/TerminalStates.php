<?php

declare(strict_types=1);

namespace Tapbench;

/** Names of the states of a terminal, which are the parts of the dotted path of its state. Written by `npm run docs`. */
final class TerminalStates
{
    public const AWAITING_CARD = 'awaitingCard';
    public const AT_DEVICE = 'atDevice';
    public const OUTCOME_UNKNOWN = 'outcomeUnknown';
    public const READING = 'reading';
    public const AWAITING_PIN = 'awaitingPin';
    public const VERIFYING_PIN = 'verifyingPin';
    public const AUTHORISING = 'authorising';
    public const COMPLETING_CARD = 'completingCard';
    public const APPROVED = 'approved';
    public const PRINTING = 'printing';
    public const MERCHANT_COPY = 'merchantCopy';
    public const CUSTOMER_COPY = 'customerCopy';
    public const COMPLETING = 'completing';
    public const AWAITING_MERCHANT_RECEIPT = 'awaitingMerchantReceipt';
    public const AWAITING_CUSTOMER_RECEIPT = 'awaitingCustomerReceipt';
    public const AWAITING_END = 'awaitingEnd';
    public const ABANDONING = 'abandoning';
    public const REVERSING = 'reversing';
    public const DECLINED = 'declined';
    public const CANCELLING = 'cancelling';
    public const REVERSING_AT_DEVICE = 'reversingAtDevice';
    public const FAILED = 'failed';
    public const CANCELLED = 'cancelled';
    public const SUCCEEDED = 'succeeded';
}
