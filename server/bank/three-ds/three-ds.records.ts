import type { Queries, Row, Transaction } from '../../platform/store/store.ts';

/** Where the cardholder is: in front of a web page, or in an app with a 3DS library. */
export type Channel = 'Browser' | 'Application';

/** One authentication of a cardholder by his issuer. */
export interface ThreeDsRunRow extends Row {
  /** The 3DS server's transaction id (EMV 3DS 2.2 Table A.1). */
  id: string;
  /** The issuer's transaction id. */
  acs_id: string;
  session_id: string;
  channel: Channel;
  /** Whether a challenge follows the fingerprint. */
  challenge: number;
  /** Wrong codes entered so far. */
  wrong_codes: number;
  created_ms: number;
}

export async function insertRun(
  tx: Transaction,
  run: { id: string; acsId: string; sessionId: string; channel: Channel; challenge: boolean },
  nowMs: number,
): Promise<ThreeDsRunRow> {
  const row = await tx.get<ThreeDsRunRow>(
    `INSERT INTO three_ds_runs (id, acs_id, session_id, channel, challenge, created_ms)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
    run.id,
    run.acsId,
    run.sessionId,
    run.channel,
    run.challenge ? 1 : 0,
    nowMs,
  );
  return row!;
}

export function findRun(queries: Queries, id: string): Promise<ThreeDsRunRow | undefined> {
  return queries.get<ThreeDsRunRow>(`SELECT * FROM three_ds_runs WHERE id = ?`, id);
}

export async function countWrongCode(tx: Transaction, id: string): Promise<ThreeDsRunRow> {
  const row = await tx.get<ThreeDsRunRow>(
    `UPDATE three_ds_runs SET wrong_codes = wrong_codes + 1 WHERE id = ? RETURNING *`,
    id,
  );
  return row!;
}
