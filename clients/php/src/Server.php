<?php

declare(strict_types=1);

namespace Tapbench;

/** The Tapbench server of a test run, on which each test gets a sandbox: one that runs, or one that is started. */
final class Server
{
    private const HELP = 'Start one with `tapbench up` and set TAPBENCH_URL and TAPBENCH_KEY to the address and the '
        . 'secret key that it prints, or set TAPBENCH_COMMAND to the command `tapbench`, such as '
        . '`node_modules/.bin/tapbench`, to have one started for the tests.';

    private static ?self $ofRun = null;

    /** Calls the API with the key of the sandbox `default`. */
    public readonly Client $client;

    private ?Receiver $receiver = null;

    /** @param resource|null $process */
    private function __construct(
        public readonly string $url,
        #[\SensitiveParameter] string $key,
        private $process = null,
    ) {
        $this->client = new Client($url, $key);
    }

    /** Returns the server of this run, found or started at the first call. It ends with this process. */
    public static function ofRun(): self
    {
        if (self::$ofRun === null) {
            $server = self::find(getenv(), (string) getcwd());
            register_shutdown_function($server->close(...));
            self::$ofRun = $server;
        }
        return self::$ofRun;
    }

    /**
     * Returns the server of TAPBENCH_URL and TAPBENCH_KEY, or starts one.
     *
     * Without the two, TAPBENCH_COMMAND is started, or `node_modules/.bin/tapbench` of the folder or one above it, or
     * `tapbench` of PATH.
     *
     * @param array<string, string> $environment
     * @throws ServerUnavailable with what to do
     */
    public static function find(#[\SensitiveParameter] array $environment, string $folder): self
    {
        [$url, $key] = [$environment['TAPBENCH_URL'] ?? '', $environment['TAPBENCH_KEY'] ?? ''];
        if ($url !== '' && $key !== '') {
            return self::running(rtrim($url, '/'), $key);
        }
        if ($url !== '') {
            throw new ServerUnavailable('TAPBENCH_URL is set, but TAPBENCH_KEY is not. ' . self::HELP);
        }
        $command = self::command($environment, $folder);
        if ($command === null) {
            throw new ServerUnavailable('There is no Tapbench server for the tests. ' . self::HELP);
        }
        return self::start($command);
    }

    /** Starts `tapbench up` on free ports, without a rate limit and without keeping data. `close` ends it. */
    public static function start(string $command): self
    {
        $log = tmpfile() ?: throw new \RuntimeException('no temporary file');
        $environment = ['PORT' => '0', 'MQTT_PORT' => '0', 'RATE_LIMIT' => 'off'] + getenv();
        $pipes = [];
        $streams = [['file', '/dev/null', 'r'], ['pipe', 'w'], $log];
        $process = proc_open("exec $command up --ephemeral --json", $streams, $pipes, null, $environment);
        $line = $process ? (string) fgets($pipes[1]) : '';
        $started = json_decode($line, true);
        if (!is_array($started)) {
            rewind($log);
            $printed = substr(trim((string) stream_get_contents($log)), -2000) ?: 'it printed nothing';
            throw new ServerUnavailable("$command up ended: $printed");
        }
        return new self($started['url'], $started['secretKey'], $process);
    }

    /**
     * Creates a sandbox.
     *
     * @param array<string, mixed> $options members of `POST /sandboxes`, such as `seed`
     */
    public function createSandbox(array $options = []): Sandbox
    {
        return Sandbox::create($this->client, $this->receiver ??= new Receiver(), $options);
    }

    /** Ends the server if it was started for the tests. */
    public function close(): void
    {
        $this->receiver?->close();
        $this->receiver = null;
        if ($this->process) {
            proc_terminate($this->process);
            proc_close($this->process);
            $this->process = null;
        }
    }

    private static function running(string $url, #[\SensitiveParameter] string $key): self
    {
        $server = new self($url, $key);
        try {
            $server->client->get('/sandboxes');
        } catch (ServerUnavailable $error) {
            throw new ServerUnavailable("{$error->getMessage()}: is TAPBENCH_URL right? " . self::HELP);
        } catch (ApiError $error) {
            throw new ServerUnavailable("{$error->getMessage()}: is TAPBENCH_KEY the secret key of $url?");
        }
        return $server;
    }

    /** @param array<string, string> $environment */
    private static function command(array $environment, string $folder): ?string
    {
        if (($environment['TAPBENCH_COMMAND'] ?? '') !== '') {
            return $environment['TAPBENCH_COMMAND'];
        }
        $installed = [];
        for ($place = $folder; dirname($place) !== $place; $place = dirname($place)) {
            $installed[] = "$place/node_modules/.bin/tapbench";
        }
        foreach (explode(PATH_SEPARATOR, $environment['PATH'] ?? '') as $place) {
            $installed[] = "$place/tapbench";
        }
        foreach (array_filter($installed, is_executable(...)) as $file) {
            return escapeshellarg($file);
        }
        return null;
    }
}
