<?php

declare(strict_types=1);

namespace Tapbench\Tests;

use PHPUnit\Framework\TestCase;

final class FailureOutputTest extends TestCase
{
    private const SERVER = ['TAPBENCH_URL' => '', 'TAPBENCH_KEY' => '', 'TAPBENCH_COMMAND' => ''];

    public function testTheOutputOfAFailedTestHasNoKey(): void
    {
        $keysFile = (string) tempnam(sys_get_temp_dir(), 'tapbench');
        // A server of its own when this run has none in its environment.
        $traces = "$keysFile-traces";
        $output = $this->runFailingTests(['KEYS_FILE' => $keysFile, 'TAPBENCH_TRACES' => $traces] + getenv());
        $trace = "$traces/failingtests-testisrefused.tapbench";
        $told = "Tapbench trace of the failed test 'FailingTests::testIsRefused':\n  npx tapbench trace $trace --open";
        self::assertStringContainsString($told, $output);
        self::assertCount(3, glob("$traces/*.tapbench"));
        self::assertStringStartsWith("\x1f\x8b", (string) file_get_contents($trace));
        array_map(unlink(...), glob("$traces/*"));
        rmdir($traces);
        $keys = explode("\n", trim((string) file_get_contents($keysFile)));
        unlink($keysFile);
        self::assertCount(6, $keys);
        self::assertStringContainsString('Tests: 3', $output);
        self::assertStringContainsString('Tapbench\Sandbox Object', $output);
        foreach ([...$keys, getenv('TAPBENCH_KEY') ?: 'sk_sandbox_none'] as $key) {
            self::assertStringNotContainsString(substr($key, 11, 12), $output);
        }
    }

    public function testARunWithoutAServerSaysWhatToDo(): void
    {
        $environment = ['PATH' => '/no'] + array_diff_key(getenv(), self::SERVER);
        $output = $this->runFailingTests($environment);
        self::assertStringContainsString('There is no Tapbench server for the tests. Start one with', $output);
    }

    public function testAFaultThatStruckNothingFailsItsTest(): void
    {
        $traces = sys_get_temp_dir() . '/' . uniqid('tapbench-traces-');
        mkdir($traces);
        touch("$traces/unstruckfaults-testpermits.tapbench");
        $output = $this->runFailingTests(['TAPBENCH_TRACES' => $traces] + getenv(), 'UnstruckFaults.php');
        // A test that passes removes its trace of an earlier run.
        $kept = glob("$traces/*");
        self::assertSame(["$traces/unstruckfaults-testmisses.tapbench"], $kept);
        array_map(unlink(...), $kept);
        rmdir($traces);
        self::assertStringContainsString('Tests: 3', $output);
        self::assertStringContainsString('Failures: 1', $output);
        self::assertStringContainsString('The test did not test these faults, which struck nothing', $output);
        self::assertStringContainsString('awaitingPin', $output);
    }

    /**
     * @param array<string, string> $environment
     * @return string what PHPUnit printed
     */
    private function runFailingTests(array $environment, string $file = 'FailingTests.php'): string
    {
        $phpunit = [PHP_BINARY, '-d', 'zend.exception_ignore_args=0', $_SERVER['argv'][0], '--no-configuration'];
        $bootstrap = ['--bootstrap', __DIR__ . '/../autoload.php', '--verbose'];
        $command = [...$phpunit, ...$bootstrap, __DIR__ . "/fixtures/$file"];
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes, '/', $environment);
        self::assertIsResource($process);
        $output = (string) stream_get_contents($pipes[1]);
        self::assertNotSame(0, proc_close($process), $output);
        return $output;
    }
}
