<?php

declare(strict_types=1);

namespace Tapbench\Tests;

use PHPUnit\Framework\TestCase;
use Tapbench\ForkForEachTest;
use Tapbench\Sandbox;

final class PreparedTest extends TestCase
{
    use ForkForEachTest;

    private static int $preparations = 0;

    protected static function prepare(Sandbox $sandbox): void
    {
        self::$preparations++;
        $sandbox->client->post('/v1/customers', ['email' => 'sam@example.com']);
    }

    /** @testWith ["first"]
     *            ["second"]
     *            ["third"]
     */
    public function testEachTestHasAForkOfWhatWasPreparedOnce(string $name): void
    {
        self::assertSame(1, self::$preparations);
        $this->sandbox->client->post('/v1/customers', ['email' => "$name@example.com"]);
        $emails = array_column($this->sandbox->client->get('/v1/customers')['items'], 'email');
        self::assertSame(["$name@example.com", 'sam@example.com'], $emails);
        $this->sandbox->webhooks->waitFor('Customer.created', fn ($event) => $event->data['email'] === "$name@example.com");
    }

    public function testTheCardholderOfATerminalThatNobodyHasUsedWaitsForTheTest(): void
    {
        $path = "/sandbox/terminals/{$this->sandbox->terminal()->id}/paper";
        self::assertSame('none', $this->sandbox->client->post($path, ['sheets' => 5])['cardholder']);
    }
}
