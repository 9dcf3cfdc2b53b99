import { parseJson } from '../../platform/store/json-text.ts';
import type { Condition } from '../../platform/store/page-source.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries } from '../../platform/store/store.ts';
import { DISPUTE, type Dispute, type Evidence } from './dispute.schema.ts';
import { RECOMMENDED } from './evidence.rules.ts';

export type DisputeRow = RowOf<typeof DISPUTE>;

/** Disputes belong to the account of the payment. */
export const disputes = storedObjects({ table: 'disputes', compared: ['status'] }, DISPUTE);

/** Returns a dispute as the API shows it. */
export function toDispute(row: DisputeRow): Dispute {
  return disputes.show(row, {
    recommendedEvidence: RECOMMENDED[row.category],
    subAccount: row.account_id === row.platform_id ? undefined : { id: row.account_id },
  });
}

export function evidenceOf(row: DisputeRow): Evidence {
  return parseJson(row.evidence);
}

/** Returns which disputes an account reads: a platform also sees those of its sub accounts, with their account id. */
export function visibleTo({ accountId, platformId }: { accountId: string; platformId: string }): Condition {
  return accountId === platformId
    ? { where: 'platform_id = ?', parameters: [platformId] }
    : { where: 'account_id = ?', parameters: [accountId] };
}

/** Returns the disputes of a session whose money has not been returned, newest first. */
export function listActiveDisputes(queries: Queries, sessionId: string): Promise<DisputeRow[]> {
  return queries.all<DisputeRow>(
    `SELECT * FROM disputes WHERE session_id = ? AND status NOT IN ('Won', 'Cancelled') ORDER BY seq DESC`,
    sessionId,
  );
}

/** Returns the disputed amount of a session that has not been returned, minor units. */
export async function disputedMinorOf(queries: Queries, sessionId: string): Promise<number> {
  const active = await listActiveDisputes(queries, sessionId);
  return active.reduce((sum, { amount_minor: amountMinor }) => sum + amountMinor, 0);
}
