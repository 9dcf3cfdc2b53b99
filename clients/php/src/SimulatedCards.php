<?php

declare(strict_types=1);

namespace Tapbench;

/** Cards that a simulated cardholder presents at a terminal. Written by `npm run docs`. */
final class SimulatedCards
{
    public const VISA_CONTACTLESS = 'visa-contactless';
    public const MASTERCARD_CONTACTLESS = 'mastercard-contactless';
    public const AMEX_CONTACTLESS = 'amex-contactless';
    public const VISA_CONTACT_PIN = 'visa-contact-pin';
    public const MASTERCARD_CONTACT_PIN = 'mastercard-contact-pin';
    public const AMEX_CONTACT_PIN = 'amex-contact-pin';
    public const VISA_SWIPE = 'visa-swipe';
    public const APPLE_PAY = 'apple-pay';
    public const GOOGLE_PAY = 'google-pay';
    public const VISA_EXPIRED = 'visa-expired';
    public const VISA_BLOCKED_PIN = 'visa-blocked-pin';
    public const VISA_UNREADABLE = 'visa-unreadable';
    public const VISA_DECLINED = 'visa-declined';
}
