import type { Transaction } from '../../platform/store/store.ts';

/** Saves the digest of a cryptogram. Returns false when it was saved before. */
export async function saveCryptogram(tx: Transaction, digest: string, nowMs: number): Promise<boolean> {
  const { changes } = await tx.run(
    `INSERT INTO seen_cryptograms (digest, seen_ms) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING`,
    digest,
    nowMs,
  );
  return changes === 1;
}
