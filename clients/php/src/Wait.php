<?php

declare(strict_types=1);

namespace Tapbench;

/** Waiting for what happens on the server. */
final class Wait
{
    public const TIMEOUT_SECONDS = 20.0;

    private const PAUSES_MS = [5, 10, 20, 40, 80];

    /**
     * Calls `look` until it returns a truthy value, and returns that.
     *
     * @template T
     * @param callable(): T $look
     * @return T
     * @throws NotInTime after `seconds` of real time
     */
    public static function until(string $what, callable $look, float $seconds = self::TIMEOUT_SECONDS): mixed
    {
        $end = microtime(true) + $seconds;
        for ($attempt = 0; ; $attempt++) {
            $found = $look();
            if ($found) {
                return $found;
            }
            if (microtime(true) >= $end) {
                throw new NotInTime("waited $seconds s, but not: $what");
            }
            usleep(1000 * self::PAUSES_MS[min($attempt, count(self::PAUSES_MS) - 1)]);
        }
    }
}
