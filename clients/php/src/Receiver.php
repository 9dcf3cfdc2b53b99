<?php

declare(strict_types=1);

namespace Tapbench;

/**
 * The endpoint that receives the webhooks of all sandboxes of a test run.
 *
 * @internal
 */
final class Receiver
{
    /** Base address of the endpoint. */
    public readonly string $url;

    private readonly string $control;

    /** @var resource|null */
    private $process;

    /** @var array<int, resource> */
    private array $pipes = [];

    /** Starts the receiver; it ends with this process. */
    public function __construct()
    {
        // A server elsewhere, such as in a container, reaches this machine under another name.
        $named = getenv('TAPBENCH_WEBHOOK_HOST') ?: null;
        $token = bin2hex(random_bytes(16));
        $command = [PHP_BINARY, __DIR__ . '/../bin/receiver.php', $named === null ? '127.0.0.1' : '0.0.0.0', $token];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $this->pipes);
        $port = $process ? (int) fgets($this->pipes[1]) : 0;
        if ($port === 0) {
            throw new \RuntimeException('the receiver of webhooks did not start');
        }
        $this->process = $process;
        $this->url = 'http://' . ($named ?? '127.0.0.1') . ":$port";
        $this->control = "http://127.0.0.1:$port/$token";
    }

    /**
     * Returns what arrived at a path after the first `after` deliveries. Waits up to `seconds` for one.
     *
     * @return list<array{body: string, signature: string, sandbox: string}>
     */
    public function received(string $path, int $after, float $seconds = 0): array
    {
        $query = http_build_query(['path' => $path, 'after' => $after, 'seconds' => $seconds]);
        return json_decode(Http::send('GET', "$this->control/received?$query")[2], true);
    }

    /**
     * Sets the statuses of the next replies at a path; 200 after them.
     *
     * @param list<int> $statuses
     */
    public function replyWith(string $path, array $statuses): void
    {
        $body = json_encode(['path' => $path, 'statuses' => $statuses], JSON_THROW_ON_ERROR);
        Http::send('PUT', "$this->control/statuses", ['Content-Type: application/json'], $body);
    }

    /** Ends the receiver. */
    public function close(): void
    {
        if ($this->process) {
            array_map(fclose(...), $this->pipes);
            proc_close($this->process);
            $this->process = null;
        }
    }
}
