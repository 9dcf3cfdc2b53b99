<?php

declare(strict_types=1);

namespace Tapbench;

/** Receives all events of a sandbox. */
final class Webhooks
{
    /** In case the webhook that reports it is lost. */
    private const LOST_WEBHOOK_SECONDS = 0.25;

    private readonly \SensitiveParameterValue $secret;

    /** @var list<Event> */
    private array $events = [];

    /** Number of deliveries that were read, those of forks included. */
    private int $read = 0;

    /** @internal */
    public function __construct(
        private readonly Receiver $receiver,
        private readonly string $path,
        private readonly string $sandbox,
        #[\SensitiveParameter] string $secret,
    ) {
        $this->secret = new \SensitiveParameterValue($secret);
    }

    /** Returns whether `signature` is the HMAC-SHA256 of the exact bytes of a body under the secret, in hex. */
    public static function verifySignature(
        #[\SensitiveParameter] string $secret,
        string $body,
        string $signature,
    ): bool {
        return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
    }

    /** Returns the address of the endpoint. */
    public function url(): string
    {
        return $this->receiver->url . $this->path;
    }

    /**
     * Returns the webhooks of a fork: they arrive at the same endpoint.
     *
     * @internal
     */
    public function ofFork(string $sandbox): self
    {
        return new self($this->receiver, $this->path, $sandbox, $this->secret->getValue());
    }

    /**
     * Returns the events that arrived, in the order of their arrival; those of one type, or all. An event that was
     * delivered twice is here twice.
     *
     * @return list<Event>
     * @throws \RuntimeException for a delivery with a wrong signature
     */
    public function received(?string $type = null): array
    {
        $this->read(0);
        $ofType = static fn (Event $event): bool => $type === null || $event->type === $type;
        return array_values(array_filter($this->events, $ofType));
    }

    /**
     * Waits until `count` events of a type have arrived for which `where` returns true, and returns the last of these.
     *
     * @param (callable(Event): bool)|null $where
     */
    public function waitFor(
        string $type,
        ?callable $where = null,
        int $count = 1,
        float $seconds = Wait::TIMEOUT_SECONDS,
    ): Event {
        $end = microtime(true) + $seconds;
        while (true) {
            $found = array_values(array_filter($this->received($type), $where ?? static fn (): bool => true));
            if (count($found) >= $count) {
                return $found[$count - 1];
            }
            $left = $end - microtime(true);
            if ($left <= 0) {
                break;
            }
            $this->read($left);
        }
        $types = implode(', ', array_column($this->events, 'type')) ?: 'none';
        throw new NotInTime("$count × $type did not arrive at {$this->url()} within $seconds s; received: $types");
    }

    /** Sets the statuses of the next replies, such as 500; 200 after them. */
    public function replyWith(int ...$statuses): void
    {
        $this->receiver->replyWith($this->path, array_values($statuses));
    }

    /**
     * Calls `look` at each webhook that arrives until it returns a truthy value, and returns that.
     *
     * @internal
     * @template T
     * @param callable(): T $look
     * @return T
     */
    public function until(string $what, callable $look): mixed
    {
        $end = microtime(true) + Wait::TIMEOUT_SECONDS;
        while (true) {
            $this->read(0);
            $found = $look();
            if ($found) {
                return $found;
            }
            if (microtime(true) >= $end) {
                throw new NotInTime('waited ' . Wait::TIMEOUT_SECONDS . " s, but not: $what");
            }
            $this->read(self::LOST_WEBHOOK_SECONDS);
        }
    }

    /** Reads what arrived; waits up to `seconds` for something. */
    private function read(float $seconds): void
    {
        foreach ($this->receiver->received($this->path, $this->read, $seconds) as $delivery) {
            $this->read++;
            if ($delivery['sandbox'] !== $this->sandbox) {
                continue;
            }
            if (!self::verifySignature($this->secret->getValue(), $delivery['body'], $delivery['signature'])) {
                throw new \RuntimeException('a webhook has a wrong signature');
            }
            $event = json_decode($delivery['body'], true);
            $this->events[] = new Event($event['id'], $event['eventType'], $event['data'], $event);
        }
    }
}
