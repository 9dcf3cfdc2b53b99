<?php

declare(strict_types=1);

namespace Tapbench;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\Before;

/** Gives each test of a class `$this->sandbox`, created before it and deleted after it. */
trait SandboxForEachTest
{
    protected Sandbox $sandbox;

    /** @before */
    #[Before]
    public function createSandbox(): void
    {
        $this->sandbox = Server::ofRun()->createSandbox();
    }

    /** @after */
    #[After]
    public function deleteSandbox(): void
    {
        if (!isset($this->sandbox)) {
            return;
        }
        try {
            $unstruck = $this->sandbox->allowUnstruck ? [] : $this->sandbox->unstruck();
        } finally {
            $this->sandbox->delete();
        }
        if ($unstruck !== []) {
            $lines = implode('', array_map(fn ($fault) => "\n  " . json_encode($fault, JSON_UNESCAPED_SLASHES), $unstruck));
            self::fail("The test did not test these faults, which struck nothing (allowUnstruck permits it):$lines");
        }
    }
}
