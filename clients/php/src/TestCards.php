<?php

declare(strict_types=1);

namespace Tapbench;

/** Numbers and security codes of test cards. Written by `npm run docs`. */
final class TestCards
{
    /** Is approved without authentication. */
    public const APPROVED = ['4242424242424242', '123'];
    /** Its issuer challenges the cardholder (3DS). */
    public const CHALLENGED = ['4918190000000002', '123'];
    /** Is declined: `insufficient_funds`. */
    public const DECLINED = ['4000000000001000', '100'];
}
