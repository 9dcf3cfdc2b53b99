import type { BodyOf } from '../../../../protocol/message.ts';
import {
  ReversalRecorded,
  ReversalReported,
  type ReportedReversal,
} from '../../../../protocol/messages/reversal.messages.ts';
import { reasonText } from '../../../../protocol/reason.ts';
import type { ActionServices } from '../actions/terminal-commands.ts';
import type { Services } from '../../../platform/services.ts';
import { jsonText, parseJson } from '../../../platform/store/json-text.ts';
import type { joinTransactions } from '../../../platform/store/joined-transactions.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import { type DeviceReversal, type ActionRow, findReportedAction } from '../actions/action.records.ts';

/** Of one action; a terminal reverses its transaction, and at most some attempts before it. */
const REVERSALS_MAX = 20;

/**
 * Records what payment terminals report of their reversals. The payment stays as the server has decided: the bank of the
 * device has its own money (docs/choices/readers.md).
 * @param inOrder runs the transactions of reports
 */
export function handleReversalReports(
  services: ActionServices,
  inOrder: ReturnType<typeof joinTransactions>,
): void {
  const handle = (terminalId: string, body: BodyOf<typeof ReversalReported>) =>
    inOrder(terminalId, async (tx) => {
      const reported = await findReportedAction(tx, terminalId, body.actionId);
      if (reported === 'no terminal') return;
      if (reported === 'no action') refuse(tx, services, terminalId, body);
      else await recordReversal(tx, services, reported.action, body);
      acknowledge(tx, services, terminalId, body);
    });
  // One that is not recorded is acknowledged too; otherwise the terminal would repeat it forever.
  services.gateway.onReport(ReversalReported, handle, { anyAction: true });
}

/** Records what came of a reversal with its action, whose row is locked. */
export async function recordReversal(
  tx: Transaction,
  { log, activities }: Pick<Services, 'log' | 'activities'>,
  { id: actionId, terminal_id: terminalId, device_reversals: kept }: ActionRow,
  reported: ReportedReversal,
): Promise<void> {
  const reversal = reversalOf(reported);
  const earlier = kept === null ? [] : parseJson(kept);
  if (earlier.some((one) => isSame(one, reversal))) return;
  const all = [...earlier.filter((one) => !isReplaced(one, reversal)), reversal];
  const text = jsonText(all.slice(-REVERSALS_MAX));
  tx.requireRowLock('terminals', terminalId);
  await tx.run('UPDATE actions SET device_reversals = ? WHERE id = ?', text, actionId);
  tx.afterCommit(() => {
    const level = reversal.outcome === 'Reversed' ? 'info' : 'warn';
    log[level]({ terminalId, actionId, ...reversal }, 'a payment terminal reported a reversal');
    activities.emit({ kind: 'device.reversed', terminalId, actionId, ...reversal });
  });
}

/** Masks the reason again: the terminal may run other firmware. */
function reversalOf({
  reference,
  outcome,
  amountMinor,
  currency,
  reason,
  atMs,
}: ReportedReversal): DeviceReversal {
  const words = reason === undefined ? undefined : reasonText(reason);
  return {
    reference: reference ?? null,
    outcome,
    amountMinor,
    currency,
    reason: words ?? null,
    atMs,
  };
}

/**
 * Whether a later record is of the same transaction. What is recorded without a reference is an outcome that was unknown: the
 * transaction with one is that outcome, and both together would ask a person to pay it back once more.
 */
function isReplaced(one: DeviceReversal, later: DeviceReversal): boolean {
  return one.reference === later.reference || one.reference === null;
}

function isSame(one: DeviceReversal, other: DeviceReversal): boolean {
  return one.reference === other.reference && one.outcome === other.outcome && one.reason === other.reason;
}

function refuse(
  tx: Transaction,
  { log, activities }: Pick<Services, 'log' | 'activities'>,
  terminalId: string,
  { actionId }: ReportedReversal,
): void {
  const reason = `no action ${actionId} of this terminal`;
  tx.afterCommit(() => {
    log.warn({ terminalId, actionId }, 'a reversal of an unknown action is not recorded');
    activities.emit({
      kind: 'message.refused',
      terminalId,
      actionId: null,
      message: ReversalReported.name,
      reason,
    });
  });
}

function acknowledge(
  tx: Transaction,
  { gateway }: Pick<Services, 'gateway'>,
  terminalId: string,
  { actionId, reference, outcome, atMs }: ReportedReversal,
): void {
  const body: BodyOf<typeof ReversalRecorded> = {
    actionId,
    ...(reference !== undefined && { reference }),
    outcome,
    atMs,
  };
  tx.afterCommit(() => void gateway.send(ReversalRecorded, terminalId, body, { foreignAction: true }));
}
