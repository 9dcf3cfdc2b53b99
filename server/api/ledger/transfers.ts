import { formatMinor } from '../../../protocol/money.ts';
import { accounts } from '../accounts/account.records.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { availableOf, lockBalance } from './balance.records.ts';
import { transferLines } from './double-entry.ts';
import type { LedgerContext } from './ledger.ts';
import { postEntry } from './post-entry.ts';
import { transfers, type NewTransfer, type TransferRow } from './transfer.records.ts';
import { Refusal } from '../../platform/http/refusals.ts';

interface TransferInput extends Omit<NewTransfer, 'id' | 'status'> {
  fromId: string;
  toId: string;
}

/**
 * Creates a transfer between a platform and a sub account. It completes at once and has no fee; it is declined when
 * the available balance of its source is too low (docs/choices.md, Transfers).
 * @throws Refusal `not_found` for an unknown sub account
 */
export async function createTransfer(
  tx: Transaction,
  services: LedgerContext,
  input: TransferInput,
): Promise<TransferRow> {
  const { amount: amountMinor, currency, fromId, toId, accountId } = input;
  const nowMs = services.clock.nowMs();
  const id = services.ids.make('transfer');
  const record = (type: EventType, row: TransferRow) =>
    raise(tx, services, { type, accountId, data: transfers.show(row) });

  tx.lockRow('accounts', fromId);
  if (!(await accounts.find(tx, accountId, fromId === accountId ? toId : fromId)))
    throw new Refusal('not_found', { what: 'sub account' });
  await lockBalance(tx, services, fromId, currency);
  const availableMinor = await availableOf(tx, fromId, currency, nowMs);
  if (availableMinor < amountMinor) {
    const pending = await transfers.insert(tx, { ...input, id, status: 'Pending' }, nowMs);
    record('Transfer.created', pending);
    const description = `${formatMinor(availableMinor, currency)} is available at the source`;
    const errors = [{ code: 'InsufficientSourceBalance' as const, description }];
    const declined = await transfers.update(tx, id, { status: 'Declined', errors }, nowMs);
    record('Transfer.updated', declined!);
    return declined!;
  }
  const transfer = { from: fromId, to: toId, amountMinor, currency, originId: id, availableMs: nowMs };
  const description = input.reason ?? `Transfer ${id}`;
  const types = { out: 'TransferOut', in: 'TransferIn' } as const;
  await postEntry(tx, services, { lines: transferLines(types, { ...transfer, description }) });
  const completed = await transfers.insert(tx, { ...input, id, status: 'Completed' }, nowMs);
  record('Transfer.created', completed);
  return completed;
}

/** The accounts that a transfer debits and credits; one of them is always the platform. */
interface TransferSides {
  fromId: string;
  toId: string;
  subAccountId: string;
}

/** @throws Refusal `transfer_sides` unless exactly one side is named: the other is the platform's. */
export function parseTransferSides(
  { source, destination }: { source?: { accountId: string }; destination?: { accountId: string } },
  platformId: string,
): TransferSides {
  if (source && !destination) {
    return { fromId: source.accountId, toId: platformId, subAccountId: source.accountId };
  }
  if (destination && !source) {
    return { fromId: platformId, toId: destination.accountId, subAccountId: destination.accountId };
  }
  throw new Refusal('transfer_sides');
}
