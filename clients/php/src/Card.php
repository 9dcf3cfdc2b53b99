<?php

declare(strict_types=1);

namespace Tapbench;

/** A test card for online payments. docs/online-payments.md lists more. */
final class Card
{
    public function __construct(
        public readonly string $number = TestCards::APPROVED[0],
        public readonly string $cvc = TestCards::APPROVED[1],
        public readonly string $expiryMonth = '12',
        public readonly string $expiryYear = '2035',
    ) {
    }

    /** Is approved without authentication. */
    public static function approved(): self
    {
        return new self();
    }

    /** Its issuer challenges the cardholder (3DS). */
    public static function challenged(): self
    {
        return new self(...TestCards::CHALLENGED);
    }

    /** Is declined: `insufficient_funds`. */
    public static function declined(): self
    {
        return new self(...TestCards::DECLINED);
    }

    /**
     * Returns the card as the API expects it.
     *
     * @return array<string, string>
     */
    public function details(): array
    {
        return get_object_vars($this);
    }
}
