<?php

declare(strict_types=1);

namespace Tapbench\Tests;

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\TestCase;
use Tapbench\SandboxForEachTest;

final class ScenariosTest extends TestCase
{
    use SandboxForEachTest;

    /**
     * @dataProvider scenarios
     * @param list<array<string, mixed>> $steps
     */
    public function testScenario(array $steps): void
    {
        (new ScenarioRun($this->sandbox))->run($steps);
    }

    /** @return iterable<string, array{list<array<string, mixed>>}> */
    public static function scenarios(): iterable
    {
        foreach (ScenarioRun::scenarios() as ['name' => $name, 'steps' => $steps]) {
            yield $name => [$steps];
        }
    }

    public function testAnUnknownStepFails(): void
    {
        $this->expectException(AssertionFailedError::class);
        $this->expectExceptionMessage('unknown step: dance');
        (new ScenarioRun($this->sandbox))->run([['do' => 'dance']]);
    }
}
