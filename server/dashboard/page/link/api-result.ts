/** The response of the server; `problem` is the message of a failed call. */
export type ApiResult<T> = { ok: true; body: T } | { ok: false; status: number; problem: string };
