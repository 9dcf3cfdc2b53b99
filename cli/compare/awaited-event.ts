import { isObject } from '../../protocol/outside-json.ts';
import type { PlainRequest } from './careful-client.ts';

/** An event that a step awaited, and how it is asked for. */
export interface AwaitedEvent {
  request: PlainRequest;
  eventType: string;
  /** The object, as JSON: another event that has the same says the same. */
  data: string;
  /** How many events of the page said the same. */
  times: number;
}

/** Returns how many events say what one says. */
export function timesIn(
  items: readonly unknown[],
  { eventType, data }: Pick<AwaitedEvent, 'eventType' | 'data'>,
): number {
  return items
    .filter(isObject)
    .filter((item) => item['eventType'] === eventType && JSON.stringify(item['data']) === data).length;
}
