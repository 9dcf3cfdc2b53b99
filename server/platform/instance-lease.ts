/**
 * How long a server that writes nothing more counts as running, real time: so long what it has claimed is its own. All servers
 * go by the clock of their database.
 */
export const LEASE_MS = 10_000;

/** How often a running server renews what it has claimed: twice in that time. */
export const RENEW_MS = 4_000;
