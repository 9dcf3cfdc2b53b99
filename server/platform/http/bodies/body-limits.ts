/** Largest body of a request that is not a form (docs/choices.md, Order of refusals). */
export const BODY_BYTES_MAX = 1024 * 1024;

/** Largest form with a file (docs/choices.md, Order of refusals). */
export const UPLOAD_BYTES_MAX = 4 * 1024 * 1024;
