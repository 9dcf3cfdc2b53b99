import { Fault } from '../../protocol/failures.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { stringOption } from '../command-line/option.ts';

/** Option of the commands that register a webhook. */
export const eventTypesOption = stringOption({
  flag: '--events <names>',
  description: 'Event types, separated by commas',
  defaultText: 'all',
});

/** Parses --events. @throws Fault `bad_setting` naming the first unknown event type. */
export function parseEventTypes(typed: string | undefined): string[] {
  if (typed === undefined) return EVENT_TYPE_NAMES;
  const names = typed.split(',').map((name) => name.trim());
  const known: string[] = EVENT_TYPE_NAMES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new Fault(
    'bad_setting',
    `--events: '${unknown.slice(0, 60)}' is not an event type; some are ${known.slice(0, 3).join(', ')}`,
  );
}
