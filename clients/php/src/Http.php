<?php

declare(strict_types=1);

namespace Tapbench;

/**
 * Sends HTTP requests with PHP's streams.
 *
 * @internal
 */
final class Http
{
    private const TIMEOUT_SECONDS = 30;

    /**
     * Sends one request without following redirects.
     *
     * @param list<string> $headers such as `Account: ac_…`
     * @return array{int, array<string, string>, string} status, headers by their name in lower case, and body
     * @throws ServerUnavailable when there is no reply
     */
    public static function send(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers = [],
        ?string $body = null,
    ): array {
        $options = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'follow_location' => 0];
        $options += ['timeout' => self::TIMEOUT_SECONDS, 'protocol_version' => 1.1];
        if ($body !== null) {
            $options['content'] = $body;
        }
        error_clear_last();
        $text = @file_get_contents($url, false, stream_context_create(['http' => $options]));
        if ($text === false) {
            $problem = preg_replace('/.*: /s', '', error_get_last()['message'] ?? '');
            $address = preg_replace('#^(\w+://[^/]+).*#s', '$1', $url);
            throw new ServerUnavailable("no Tapbench server replies at $address ($problem)");
        }
        [$status, $received] = self::parseHead($http_response_header);
        return [$status, $received, $text];
    }

    /**
     * @param list<string> $lines
     * @return array{int, array<string, string>}
     */
    private static function parseHead(array $lines): array
    {
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [(int) explode(' ', $lines[0])[1], $headers];
    }
}
