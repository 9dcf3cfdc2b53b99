import type { Ids } from '../../../protocol/ids.ts';
import type { Split, SplitRequest } from './split.schema.ts';

/** The parts that were asked for, each with an id of its own. */
export function withIds(ids: Ids, items: SplitRequest['items']): Split[] {
  return items.map(({ accountId, amount, description, fee, metadata }) => ({
    id: ids.make('split'),
    accountId,
    amount,
    ...(fee && { fee }),
    ...(description !== undefined && { description }),
    ...(metadata && { metadata }),
  }));
}
