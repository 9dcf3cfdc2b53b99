import { formatMinor } from '../../../protocol/money.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { availableOf } from './balance.records.ts';
import { between } from './double-entry.ts';
import { postEntry } from './post-entry.ts';
import {
  declineTransfer,
  insertTransfer,
  showTransfer,
  type NewTransfer,
  type TransferRow,
} from './transfer.records.ts';

interface TransferOrder extends Omit<NewTransfer, 'id' | 'status'> {
  fromId: string;
  toId: string;
}

/**
 * Moves money between a platform and a sub account, at once and for free; declined when what is available at
 * its source does not suffice (docs/choices.md, Transfers).
 */
export async function makeTransfer(
  tx: Transaction,
  services: Services,
  order: TransferOrder,
): Promise<TransferRow> {
  const { amountMinor, currency, fromId, toId, platformId } = order;
  const nowMs = services.clock.nowMs();
  const id = services.ids.make('transfer');
  const record = (type: EventType, row: TransferRow) =>
    raise(tx, services, { type, accountId: platformId, data: showTransfer(row) });

  const availableMinor = await availableOf(tx, fromId, currency, nowMs);
  if (availableMinor < amountMinor) {
    const pending = await insertTransfer(tx, { ...order, id, status: 'Pending' }, nowMs);
    record('Transfer.created', pending);
    const description = `${formatMinor(availableMinor, currency)} is available at the source`;
    const errors = [{ code: 'InsufficientSourceBalance' as const, description }];
    const declined = await declineTransfer(tx, id, errors, nowMs);
    record('Transfer.updated', declined);
    return declined;
  }
  const passage = { from: fromId, to: toId, amountMinor, currency, originId: id, availableMs: nowMs };
  const description = order.reason ?? `Transfer ${id}`;
  const types = { out: 'TransferOut', in: 'TransferIn' } as const;
  await postEntry(tx, services, { movements: between(types, { ...passage, description }) });
  const completed = await insertTransfer(tx, { ...order, id, status: 'Completed' }, nowMs);
  record('Transfer.created', completed);
  return completed;
}
