<?php

declare(strict_types=1);

namespace Tapbench;

/** Last three digits of the amounts with which a payment at a terminal is declined or fails, by its error. Written by `npm run docs`. */
final class MagicAmounts
{
    public const INSUFFICIENT_FUNDS = 901;
    public const EXPIRED_CARD = 902;
    public const RESTRICTED_CARD = 903;
    public const STOLEN_CARD = 904;
    public const SUSPECTED_FRAUD = 905;
    public const ISSUER_ERROR = 906;
    public const THREE_DS_AUTHENTICATION_REQUIRED = 907;
    public const LIMIT_EXCEEDED = 908;
    public const RISK_DECLINED = 909;
    public const GATEWAY_REJECT = 910;
    public const TIMEOUT = 920;
    public const TERMINAL_OFFLINE = 921;
    public const CANCELLED_ON_TERMINAL = 922;
}
