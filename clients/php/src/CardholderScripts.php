<?php

declare(strict_types=1);

namespace Tapbench;

/** What a simulated cardholder does by itself. Written by `npm run docs`. */
final class CardholderScripts
{
    public const TAP = 'tap';
    public const CONTACT_PIN = 'contact-pin';
    public const WRONG_PIN_TWICE = 'wrong-pin-twice';
    public const REMOVE_EARLY = 'remove-early';
    public const WALK_AWAY = 'walk-away';
    public const PRESS_CANCEL = 'press-cancel';
    public const NONE = 'none';
}
