import { files, type FileRow } from '../files/file.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import type { DisputeEvent } from './dispute.machine.ts';
import { toDispute, type DisputeRow } from './dispute.records.ts';
import type { Dispute, Evidence } from './dispute.schema.ts';
import { applyDisputeEvent, DISPUTE_GUARDS, lockDispute, loseIfOverdue } from './disputes.ts';
import { refuseUnlessOpen } from './evidence.rules.ts';

/**
 * Changes a dispute, read again inside the transaction and lost where its time to respond is over, and returns it as the
 * API shows it.
 */
export function changeDispute(
  services: Services,
  { id }: DisputeRow,
  change: (tx: Transaction, row: DisputeRow) => Promise<DisputeRow>,
): Promise<Dispute> {
  return services.store.transaction(async (tx) => {
    const dispute = await lockDispute(tx, id);
    if (!dispute) throw new Refusal('not_found', { what: 'dispute' });
    const row = await loseIfOverdue(tx, services, dispute);
    return toDispute(await change(tx, row));
  }, DISPUTE_GUARDS);
}

/** @throws Refusal `dispute_state` when it is not open. */
export async function moveOpenDispute(
  tx: Transaction,
  services: Services,
  row: DisputeRow,
  event: DisputeEvent,
): Promise<DisputeRow> {
  refuseUnlessOpen(row);
  const moved = await applyDisputeEvent(tx, services, row, event);
  if (!moved) throw new Refusal('dispute_state', { status: row.status });
  return moved;
}

/** Refuses files other than those of the account that was paid, of its platform, or of the caller. */
export async function refuseEvidenceFiles(
  queries: Queries,
  { accountId }: Caller,
  row: DisputeRow,
  { files: named = {} }: Evidence,
): Promise<void> {
  const owners = accountId === row.platform_id ? [row.platform_id, row.account_id] : [accountId];
  for (const [field, reference] of Object.entries(named)) {
    if (!reference) continue;
    let file: FileRow | undefined;
    for (const owner of owners) file ??= await files.find(queries, owner, reference.id);
    if (!file) throw new Refusal('not_found', { what: `file: files.${field}` });
    if (file.category !== 'Evidence') throw new Refusal('evidence_category', { field });
  }
}
