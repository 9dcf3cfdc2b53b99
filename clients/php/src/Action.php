<?php

declare(strict_types=1);

namespace Tapbench;

/** What a terminal does for the point of sale: a payment or a refund. */
final class Action
{
    /**
     * @param string $status `InProgress`, `Succeeded`, `Failed` or `Cancelled`
     * @param string|null $error code of the reason of a failure, such as `insufficient_funds` or `timeout`
     * @param array<string, mixed> $json the action as the API shows it
     */
    private function __construct(
        public readonly string $id,
        public readonly string $status,
        public readonly ?string $error,
        public readonly string $paymentSessionId,
        public readonly array $json,
    ) {
    }

    /**
     * Returns an action of a reply of the API.
     *
     * @internal
     * @param array<string, mixed> $json
     */
    public static function of(array $json): self
    {
        $session = $json['transaction']['paymentSessionId'];
        return new self($json['id'], $json['status'], $json['error']['code'] ?? null, $session, $json);
    }
}
