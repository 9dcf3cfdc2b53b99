/**
 * The requests that the server received, masked, with their answers: the latest ones, within the limits of the settings.
 * `received_ms` is real time, `created_ms` the time of the sandbox, `object_ids` has a space before and after each id. The
 * texts that are long come last, so that a list reads the columns before them alone.
 */
export const requests: readonly string[] = [
  `CREATE TABLE requests (
    seq {seq}, id TEXT NOT NULL UNIQUE, received_ms BIGINT NOT NULL, created_ms BIGINT NOT NULL,
    elapsed_us BIGINT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER, key_end TEXT,
    account_id TEXT, request_id TEXT, operation TEXT, tag TEXT, refusal TEXT, object_ids TEXT NOT NULL,
    query TEXT, headers TEXT NOT NULL, answer_headers TEXT NOT NULL, body TEXT, answer TEXT)`,
];
