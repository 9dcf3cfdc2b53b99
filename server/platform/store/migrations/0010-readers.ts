/**
 * Real card readers: which kind of keys a terminal got at its latest pairing, how far they are used, and the
 * cryptograms that the issuer has seen (a keyed digest of each, which does not identify its card).
 */
export const readers: readonly string[] = [
  `ALTER TABLE terminals ADD COLUMN key_scheme TEXT`,
  `ALTER TABLE terminals ADD COLUMN key_counter BIGINT NOT NULL DEFAULT 0`,
  `CREATE TABLE seen_cryptograms (digest TEXT PRIMARY KEY, seen_ms BIGINT NOT NULL)`,
];
