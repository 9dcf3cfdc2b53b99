<?php

declare(strict_types=1);

namespace Tapbench;

/**
 * An HTTP server that receives webhooks while a test runs, in a process of its own: PHP has no threads.
 *
 * A POST to any path is a webhook. `GET /{token}/received` returns the deliveries of a path as soon as there are more than
 * `after`, or none after `seconds`; `PUT /{token}/statuses` sets the statuses of the next replies. The process ends when its
 * standard input is closed.
 *
 * @internal
 */
final class ReceiverProcess
{
    /** @var resource */
    private $server;

    /** @var array<int, resource> by their id */
    private array $connections = [];

    /** @var array<int, string> what was read of each connection */
    private array $buffers = [];

    /** @var array<int, array{path: string, after: int, end: float}> connections that wait for deliveries */
    private array $waiting = [];

    /** @var array<string, list<array{body: string, signature: string, sandbox: string}>> by path */
    private array $deliveries = [];

    /** @var array<string, list<int>> by path */
    private array $statuses = [];

    public function __construct(string $host, private readonly string $token)
    {
        $server = stream_socket_server("tcp://$host:0", $code, $problem);
        $this->server = $server ?: throw new \RuntimeException("no port for webhooks: $problem");
    }

    /** Prints the port, and serves until standard input is closed. */
    public function run(): void
    {
        $name = (string) stream_socket_get_name($this->server, false);
        echo substr((string) strrchr($name, ':'), 1), "\n";
        while (true) {
            $readable = [STDIN, $this->server, ...array_values($this->connections)];
            [$write, $except] = [null, null];
            stream_select($readable, $write, $except, 0, $this->waiting === [] ? 1_000_000 : 20_000);
            foreach ($readable as $stream) {
                if ($stream === STDIN) {
                    return;
                }
                $stream === $this->server ? $this->accept() : $this->read($stream);
            }
            $this->endWaits();
        }
    }

    private function accept(): void
    {
        $connection = @stream_socket_accept($this->server, 0);
        if ($connection) {
            stream_set_blocking($connection, false);
            $this->connections[(int) $connection] = $connection;
            $this->buffers[(int) $connection] = '';
        }
    }

    /** @param resource $connection */
    private function read($connection): void
    {
        $id = (int) $connection;
        $chunk = fread($connection, 65_536);
        if ($chunk === false || ($chunk === '' && feof($connection))) {
            $this->close($id);
            return;
        }
        $this->buffers[$id] .= $chunk;
        [$head, $body] = explode("\r\n\r\n", $this->buffers[$id], 2) + [1 => null];
        if ($body !== null && strlen($body) >= (int) self::header($head, 'Content-Length')) {
            $this->buffers[$id] = '';
            [$method, $target] = explode(' ', $head, 3);
            $this->serve($id, $method, $target, $head, $body);
        }
    }

    private function serve(int $id, string $method, string $target, string $head, string $body): void
    {
        [$path, $query] = explode('?', $target, 2) + [1 => ''];
        if ($path === "/$this->token/received") {
            parse_str($query, $asked);
            $end = microtime(true) + (float) $asked['seconds'];
            $this->waiting[$id] = ['path' => $asked['path'], 'after' => (int) $asked['after'], 'end' => $end];
        } elseif ($path === "/$this->token/statuses") {
            ['path' => $of, 'statuses' => $statuses] = json_decode($body, true);
            $this->statuses[$of] = $statuses;
            $this->reply($id, 200, '{}');
        } elseif ($method === 'POST') {
            $signature = self::header($head, 'Signature');
            $sandbox = self::header($head, 'Tapbench-Sandbox') ?: 'default';
            $this->deliveries[$path][] = ['body' => $body, 'signature' => $signature, 'sandbox' => $sandbox];
            $statuses = $this->statuses[$path] ?? [];
            $this->reply($id, array_shift($statuses) ?? 200, '');
            $this->statuses[$path] = $statuses;
        } else {
            $this->reply($id, 404, '');
        }
    }

    private function endWaits(): void
    {
        foreach ($this->waiting as $id => ['path' => $path, 'after' => $after, 'end' => $end]) {
            $new = array_slice($this->deliveries[$path] ?? [], $after);
            if ($new !== [] || microtime(true) >= $end) {
                $this->reply($id, 200, json_encode($new, JSON_THROW_ON_ERROR));
            }
        }
    }

    private function reply(int $id, int $status, string $body): void
    {
        $length = strlen($body);
        $connection = $this->connections[$id];
        stream_set_blocking($connection, true);
        @fwrite($connection, "HTTP/1.1 $status Reply\r\nContent-Length: $length\r\nConnection: close\r\n\r\n$body");
        $this->close($id);
    }

    private function close(int $id): void
    {
        fclose($this->connections[$id]);
        unset($this->connections[$id], $this->buffers[$id], $this->waiting[$id]);
    }

    private static function header(string $head, string $name): string
    {
        return preg_match("/^$name:[ \t]*(.*?)[ \t]*\r?$/mi", $head, $found) ? $found[1] : '';
    }
}
