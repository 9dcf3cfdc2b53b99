<?php

declare(strict_types=1);

namespace Tapbench;

/** A received event. */
final class Event
{
    /**
     * @param string $type such as `PaymentSession.captured`
     * @param array<string, mixed> $data the object at the time of the event
     * @param array<string, mixed> $json the whole event
     */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly array $data,
        public readonly array $json,
    ) {
    }
}
