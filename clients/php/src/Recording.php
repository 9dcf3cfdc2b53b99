<?php

declare(strict_types=1);

namespace Tapbench;

/**
 * What a sandbox records of a test, for the trace file of one that fails. `keep` or `discard` it before the sandbox is deleted.
 *
 * @internal
 */
final class Recording
{
    private const DEFAULT_FOLDER = 'tapbench-traces';

    private function __construct(
        private readonly Client $client,
        private readonly string $id,
        /** The trace file of a test that fails. */
        public readonly string $file,
    ) {
    }

    /** Starts a recording; none when TAPBENCH_TRACES, the folder of the files, is empty. */
    public static function start(Client $client, string $test): ?self
    {
        $set = getenv('TAPBENCH_TRACES');
        $folder = $set === false ? self::DEFAULT_FOLDER : $set;
        if ($folder === '') {
            return null;
        }
        $name = trim((string) preg_replace('/[^a-z0-9]+/', '-', strtolower($test)), '-');
        $recording = $client->post('/sandbox/recordings', ['title' => preg_replace('/[^ -~]/', '?', substr($test, 0, 200))]);
        return new self($client, $recording['id'], "$folder/" . substr($name, 0, 100) . '.tapbench');
    }

    /** Writes the file. */
    public function keep(): void
    {
        $content = $this->client->download("/sandbox/recordings/$this->id/file");
        $folder = dirname($this->file);
        if (!is_dir($folder)) {
            mkdir($folder, 0777, true);
        }
        file_put_contents($this->file, $content);
    }

    /** Removes the file of an earlier run. */
    public function discard(): void
    {
        if (is_file($this->file)) {
            unlink($this->file);
        }
    }
}
