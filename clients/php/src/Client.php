<?php

declare(strict_types=1);

namespace Tapbench;

/**
 * Calls the API of one sandbox with one key. Paths begin with `/v1/` or `/sandbox/`.
 *
 * Each call returns the body of the reply, throws ApiError for another status than 2xx, and ServerUnavailable when there
 * is no reply. A call that is over the rate limit waits and is sent again.
 */
final class Client
{
    private const RETRIES_MAX = 20;

    /** Keeps the key out of dumps and of PHPUnit's output. */
    private readonly \SensitiveParameterValue $key;

    public function __construct(
        public readonly string $url,
        #[\SensitiveParameter] string $key,
        private readonly ?string $account = null,
    ) {
        $this->key = new \SensitiveParameterValue($key);
    }

    /** Returns a client that acts for a sub account (header `Account`). */
    public function asAccount(string $accountId): self
    {
        return new self($this->url, $this->key->getValue(), $accountId);
    }

    /**
     * @param array<string, string|int> $query
     * @return array<string, mixed>
     */
    public function get(string $path, array $query = []): array
    {
        return $this->request('GET', $query === [] ? $path : $path . '?' . http_build_query($query));
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function post(string $path, ?array $body = null, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', $path, $body, $idempotencyKey);
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function patch(string $path, ?array $body = null): array
    {
        return $this->request('PATCH', $path, $body);
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function delete(string $path, ?array $body = null): array
    {
        return $this->request('DELETE', $path, $body);
    }

    /**
     * Sends a request of any method with a JSON body.
     *
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function request(
        string $method,
        string $path,
        ?array $body = null,
        ?string $idempotencyKey = null,
    ): array {
        $headers = $idempotencyKey === null ? [] : ["Idempotency-Key: $idempotencyKey"];
        if ($body === null) {
            return $this->send($method, $path, $headers, null);
        }
        $json = json_encode($body === [] ? new \stdClass() : $body, JSON_THROW_ON_ERROR);
        return $this->send($method, $path, [...$headers, 'Content-Type: application/json'], $json);
    }

    /**
     * Uploads a file, and returns it. `category` is `Evidence` or `VerificationDocument`.
     *
     * @return array<string, mixed>
     */
    public function upload(string $category, string $name, string $content, string $contentType): array
    {
        $boundary = bin2hex(random_bytes(16));
        $body = "--$boundary\r\nContent-Disposition: form-data; name=\"category\"\r\n\r\n$category\r\n"
            . "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$name\"\r\n"
            . "Content-Type: $contentType\r\n\r\n$content\r\n--$boundary--\r\n";
        return $this->send('POST', '/v1/files', ["Content-Type: multipart/form-data; boundary=$boundary"], $body);
    }

    /** Sends a GET request, and returns the content of a file. */
    public function download(string $path): string
    {
        return $this->succeeds('GET', $path, [], null);
    }

    /**
     * @param list<string> $headers
     * @return array<string, mixed>
     */
    private function send(string $method, string $path, array $headers, ?string $body): array
    {
        $text = $this->succeeds($method, $path, $headers, $body);
        $reply = json_decode($text, true);
        return is_array($reply) ? $reply : throw self::refusal($method, $path, 200, $text);
    }

    /**
     * @param list<string> $headers
     * @return string the body of the reply
     */
    private function succeeds(string $method, string $path, array $headers, ?string $body): string
    {
        $headers[] = 'Authorization: ' . $this->key->getValue();
        if ($this->account !== null) {
            $headers[] = 'Account: ' . $this->account;
        }
        for ($retries = 0; ; $retries++) {
            [$status, $received, $text] = Http::send($method, $this->url . $path, $headers, $body);
            if ($status !== 429 || $retries === self::RETRIES_MAX) {
                break;
            }
            usleep((int) (1_000_000 * (float) ($received['retry-after'] ?? 1)));
        }
        if ($status >= 200 && $status < 300) {
            return $text;
        }
        throw self::refusal($method, $path, $status, $text);
    }

    private static function refusal(string $method, string $path, int $status, string $text): ApiError
    {
        // Without the query, which may have the client secret of a session.
        return new ApiError("$method " . strtok($path, '?'), $status, json_decode($text, true) ?? $text);
    }
}
