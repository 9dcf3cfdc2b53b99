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
        if (isset($this->sandbox)) {
            $this->sandbox->delete();
        }
    }
}
