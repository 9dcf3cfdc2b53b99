<?php

declare(strict_types=1);

namespace Tapbench;

/** The server refused a request. */
final class ApiError extends \RuntimeException
{
    /** HTTP status, such as 409. */
    public readonly int $status;

    /** Code of the first error, such as `conflict`. */
    public readonly string $errorCode;

    /** Message of the first error, for people. */
    public readonly string $reason;

    public function __construct(string $request, int $status, mixed $body)
    {
        $error = is_array($body) ? $body['errors'][0] ?? [] : [];
        $this->status = $status;
        $this->errorCode = $error['code'] ?? 'unexpected_error';
        $this->reason = $error['message'] ?? substr(json_encode($body) ?: '', 0, 200);
        parent::__construct("$request: $status $this->errorCode: $this->reason");
    }
}
