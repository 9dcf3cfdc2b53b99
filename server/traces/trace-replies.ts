import type { TraceItem, TraceReply } from './trace-item.schema.ts';

/** Returns the reply to each call, by the number of the call. */
export function repliesOf(items: readonly TraceItem[]): ReadonlyMap<number, TraceReply> {
  return new Map(items.flatMap((item) => (item.kind === 'reply' ? [[item.call, item] as const] : [])));
}
