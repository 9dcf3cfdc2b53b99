import type { Item } from '../../protocol/api-client.ts';
import { CLIENT_OPTIONS, connectApi, type ServerApi } from '../client/api-client.ts';
import { command, optional, required } from '../command-line/command.ts';
import { describeObject } from '../client/describe-object.ts';
import { integerOption } from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';

export const events = command({
  name: 'events',
  parameters: { event: optional('Id of an event, to print it whole') },
  options: {
    limit: integerOption(
      { min: 1, max: 1000 },
      { flag: '--limit <number>', description: 'Number of events at most', defaultValue: '20' },
    ),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench events', description: 'prints one line for each of the latest events, newest first' },
    { line: 'tapbench events ev_01J...', description: 'prints one as JSON, as a webhook receives it' },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    if (args.event !== undefined) {
      const params = { eventId: args.event };
      return printJson(context.out, await api.call('GET /v1/events/{eventId}', { params }));
    }
    const items = await latestEvents(api, options.limit);
    if (options.json) return printJson(context.out, items);
    if (items.length === 0) return context.err.write("no events; 'tapbench trigger' makes any happen\n");
    const rows = items.map(({ id, eventType, data, createdTimestamp, deliveryStatus, endpoints }) => [
      new Date(createdTimestamp * 1000).toISOString().slice(0, 19),
      eventType,
      describeObject(data),
      describeDelivery(deliveryStatus, endpoints),
      id,
    ]);
    printTable(context.out, [['TIME (UTC)', 'EVENT', 'OBJECT', 'DELIVERY', 'ID'], ...rows]);
  },
});

export const eventsDeliver = command({
  name: 'events deliver',
  parameters: { event: required('Id of the event') },
  options: CLIENT_OPTIONS,
  examples: [
    {
      line: 'tapbench events deliver ev_01J...',
      description: 'sends it to each webhook that listens for it',
    },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const event = await api.call('POST /sandbox/events/{eventId}/deliver', {
      params: { eventId: args.event },
    });
    if (options.json) return printJson(context.out, event);
    const { length } = event.endpoints;
    printLine(context.out, `${event.id} is sent to ${length} ${length === 1 ? 'webhook' : 'webhooks'}`);
  },
});

type Event = Item<'GET /v1/events'>;

const PAGE_ITEMS = 50; // Spec §8, the most there may be

/** Returns the newest events, at most `limit` of them. */
async function latestEvents(api: ServerApi, limit: number): Promise<Event[]> {
  const found: Event[] = [];
  let startsAfter: string | undefined;
  do {
    const items = Math.min(PAGE_ITEMS, limit - found.length);
    const page = await api.call('GET /v1/events', { query: { limit: items, startsAfter } });
    found.push(...page.items);
    if (page.paginationToken === null) break;
    startsAfter = page.paginationToken;
  } while (found.length < limit);
  return found;
}

function describeDelivery(status: Event['deliveryStatus'], endpoints: Event['endpoints']): string {
  if (status === 'None') return '-';
  const attempts = endpoints.reduce((sum, endpoint) => sum + endpoint.attempts, 0);
  return `${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
}
