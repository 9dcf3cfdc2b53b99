<?php

declare(strict_types=1);

namespace Tapbench;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\Before;

/** Gives each test of a class `$this->sandbox`, created before it and deleted after it. Of a test that failed, the trace is kept. */
trait SandboxForEachTest
{
    protected Sandbox $sandbox;

    private ?Recording $recording = null;

    /** @before */
    #[Before]
    public function createSandbox(): void
    {
        $this->sandbox = $this->newSandbox();
        $this->recording = Recording::start($this->sandbox->client, $this->nameOfTest());
    }

    /** @after */
    #[After]
    public function deleteSandbox(): void
    {
        if (!isset($this->sandbox)) {
            return;
        }
        $unstruck = null;
        try {
            $this->sandbox->expectStruck();
        } catch (UnstruckFaults $failure) {
            $unstruck = $failure->getMessage();
        }
        try {
            $this->endRecording($unstruck !== null || $this->testHasFailed());
        } finally {
            $this->sandbox->delete();
        }
        if ($unstruck !== null) {
            self::fail($unstruck);
        }
    }

    private function newSandbox(): Sandbox
    {
        return Server::ofRun()->createSandbox();
    }

    private function endRecording(bool $hasFailed): void
    {
        if (!$hasFailed) {
            $this->recording?->discard();
        } elseif ($this->recording !== null) {
            $this->recording->keep();
            $command = "npx tapbench trace {$this->recording->file} --open";
            fwrite(STDERR, "\nTapbench trace of the failed test '{$this->nameOfTest()}':\n  $command\n");
        }
    }

    // PHPUnit 10 has other names for both.

    private function nameOfTest(): string
    {
        $name = method_exists($this, 'nameWithDataSet') ? $this->nameWithDataSet() : $this->getName();
        return (new \ReflectionClass($this))->getShortName() . "::$name";
    }

    private function testHasFailed(): bool
    {
        if (method_exists($this, 'hasFailed')) {
            return $this->hasFailed();
        }
        return $this->status()->isFailure() || $this->status()->isError();
    }
}
