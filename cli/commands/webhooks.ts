import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { connectApi, SANDBOX_OPTIONS } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import { eventTypesOption, parseEventTypes } from '../client/event-types-option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';

export const webhooks = command({
  name: 'webhooks',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench webhooks', description: 'prints one line for each endpoint, newest first' }],
  async run({ context, options }) {
    const { items } = await connectApi(context, options).call('GET /v1/webhooks');
    if (options.json) return printJson(context.out, items);
    if (items.length === 0)
      return context.err.write("no webhooks; 'tapbench webhooks add URL' registers one\n");
    const rows = items.map(({ id, active, eventTypes, url }) => [
      id,
      active ? 'active' : 'inactive',
      describeTypes(eventTypes),
      url,
    ]);
    printTable(context.out, [['ID', 'STATE', 'EVENTS', 'URL'], ...rows]);
  },
});

export const webhooksAdd = command({
  name: 'webhooks add',
  details: 'The secret signs each delivery. It is shown only here.',
  parameters: { url: required('Address that the events are sent to') },
  options: { events: eventTypesOption, ...SANDBOX_OPTIONS },
  examples: [
    { line: 'tapbench webhooks add http://127.0.0.1:3000/hook', description: 'registers it for all events' },
    {
      line: 'tapbench webhooks add http://127.0.0.1:3000/hook --events PaymentSession.captured',
      description: 'registers it for one event type',
    },
  ],
  async run({ context, args, options }) {
    const body = { url: args.url, active: true, eventTypes: parseEventTypes(options.events) };
    const created = await connectApi(context, options).call('POST /v1/webhooks', { body });
    if (options.json) printJson(context.out, created);
    else context.out.write(`Webhook  ${created.id}\nSecret   ${created.secret}\n`);
  },
});

export const webhooksDelete = command({
  name: 'webhooks delete',
  parameters: { id: required('Id of the webhook') },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench webhooks delete wh_01J...', description: 'deletes it' }],
  async run({ context, args, options }) {
    const params = { webhookId: args.id };
    const deleted = await connectApi(context, options).call('DELETE /v1/webhooks/{webhookId}', { params });
    if (options.json) printJson(context.out, deleted);
    else printLine(context.out, `${args.id} deleted`);
  },
});

const TYPES_SHOWN = 2;

function describeTypes(types: readonly string[]): string {
  if (types.length >= EVENT_TYPE_NAMES.length) return 'all';
  if (types.length <= TYPES_SHOWN) return types.join(', ');
  return `${types.slice(0, TYPES_SHOWN).join(', ')} and ${types.length - TYPES_SHOWN} more`;
}
