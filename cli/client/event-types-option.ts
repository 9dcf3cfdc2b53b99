import type { Input } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { checkedByServer } from './api-client.ts';
import { stringOption } from '../command-line/option.ts';

type EventTypes = Input<'POST /v1/webhooks'>['body']['eventTypes'];

/** Option of the commands that register a webhook. */
export const eventTypesOption = stringOption({
  flag: '--events <names>',
  description: 'Event types, separated by commas',
  defaultText: 'all',
});

/** Parses --events. @throws Fault `bad_setting` naming the first unknown event type. */
export function parseEventTypes(typed: string | undefined): EventTypes {
  if (typed === undefined) return EVENT_TYPE_NAMES;
  const names = typed.split(',').map((name) => name.trim());
  const known: readonly string[] = EVENT_TYPE_NAMES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return checkedByServer(names);
  throw new Fault(
    'bad_setting',
    `--events: '${unknown.slice(0, 60)}' is not an event type; some are ${known.slice(0, 3).join(', ')}`,
  );
}
