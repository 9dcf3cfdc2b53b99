<?php

declare(strict_types=1);

namespace Tapbench;

/** Faults that a test put on its sandbox struck nothing, so it did not test them. */
final class UnstruckFaults extends \RuntimeException
{
    /**
     * @internal
     * @param list<array<string, mixed>> $faults
     */
    public function __construct(array $faults)
    {
        $lines = array_map(static fn (array $fault): string => "\n  " . json_encode($fault, JSON_UNESCAPED_SLASHES), $faults);
        parent::__construct('The test did not test these faults, which struck nothing (allowUnstruck permits it):'
            . implode('', $lines));
    }
}
