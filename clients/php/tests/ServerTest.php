<?php

declare(strict_types=1);

namespace Tapbench\Tests;

use PHPUnit\Framework\TestCase;
use Tapbench\Server;
use Tapbench\ServerUnavailable;

final class ServerTest extends TestCase
{
    /** A port of the loopback on which nothing listens. */
    private const NOWHERE = 'http://127.0.0.1:1';

    public function testFindStartsAServerWithoutOneThatRuns(): void
    {
        $environment = array_diff_key(getenv(), ['TAPBENCH_URL' => '', 'TAPBENCH_KEY' => '']);
        $server = Server::find($environment, __DIR__);
        try {
            $sandbox = $server->createSandbox(['name' => 'own', 'seed' => 'a']);
            self::assertSame([], $sandbox->client->get('/v1/customers')['items']);
        } finally {
            $server->close();
        }
        $this->expectException(ServerUnavailable::class);
        $server->client->get('/sandboxes');
    }

    public function testFindExplainsThatThereIsNoServer(): void
    {
        $this->expectRefusal('/no Tapbench server for the tests.*TAPBENCH_URL.*TAPBENCH_COMMAND/s');
        Server::find(['PATH' => '/no'], '/');
    }

    public function testFindExplainsThatTheKeyIsMissing(): void
    {
        $this->expectRefusal('/TAPBENCH_URL is set, but TAPBENCH_KEY is not/');
        Server::find(['TAPBENCH_URL' => self::NOWHERE], '/');
    }

    public function testFindExplainsThatNothingRepliesAtTheAddress(): void
    {
        $this->expectRefusal('#replies at http://127.0.0.1:1 \(Connection refused\): is TAPBENCH_URL right#');
        Server::find(['TAPBENCH_URL' => self::NOWHERE, 'TAPBENCH_KEY' => 'sk_sandbox_x'], '/');
    }

    public function testFindExplainsThatTheKeyIsWrong(): void
    {
        $this->expectRefusal('/^(?!.*sk_sandbox_other).*is TAPBENCH_KEY the secret key of http/');
        Server::find(['TAPBENCH_URL' => Server::ofRun()->url, 'TAPBENCH_KEY' => 'sk_sandbox_other'], '/');
    }

    public function testStartExplainsWhyTheCommandEnded(): void
    {
        $this->expectRefusal('/up ended: .*this needs Node 20/');
        Server::start("sh -c 'echo this needs Node 20 >&2'");
    }

    public function testStartExplainsThatTheCommandIsNotThere(): void
    {
        $this->expectRefusal('#/no/tapbench up ended: .*not found#');
        Server::start('/no/tapbench');
    }

    private function expectRefusal(string $pattern): void
    {
        $this->expectException(ServerUnavailable::class);
        $this->expectExceptionMessageMatches($pattern);
    }
}
