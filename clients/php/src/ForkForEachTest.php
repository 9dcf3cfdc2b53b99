<?php

declare(strict_types=1);

namespace Tapbench;

use PHPUnit\Framework\Attributes\AfterClass;

/**
 * Gives each test of a class `$this->sandbox`, a fork of the sandbox that `prepare` prepared once for the class, with
 * everything in it. Of a test that failed, the trace is kept.
 */
trait ForkForEachTest
{
    use SandboxForEachTest;

    private static ?Sandbox $prepared = null;

    /** Prepares the sandbox of which each test of the class gets a fork. */
    abstract protected static function prepare(Sandbox $sandbox): void;

    /** @afterClass */
    #[AfterClass]
    public static function deletePrepared(): void
    {
        self::$prepared?->delete();
        self::$prepared = null;
    }

    private function newSandbox(): Sandbox
    {
        if (self::$prepared === null) {
            $sandbox = Server::ofRun()->createSandbox();
            try {
                static::prepare($sandbox);
            } catch (\Throwable $failure) {
                $sandbox->delete();
                throw $failure;
            }
            self::$prepared = $sandbox;
        }
        return self::$prepared->fork();
    }
}
