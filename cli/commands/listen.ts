import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { describeObject } from '../client/describe-object.ts';
import { eventTypesOption, parseEventTypes } from '../client/event-types-option.ts';
import { formatTime } from '../log/activity-printer.ts';
import { urlOption } from '../command-line/option.ts';
import { coloured, printJsonLine, printLine } from '../command-line/output.ts';
import { uninterrupted, untilInterrupted, type CommandContext } from '../command-line/command-context.ts';
import { startWebhookReceiver, type Delivery } from '../client/webhook-receiver.ts';

const TYPE_COLUMNS = Math.max(...EVENT_TYPE_NAMES.map((name) => name.length));

export const listen = command({
  name: 'listen',
  details:
    'Registers a webhook on this machine, so the server has to run here too, and removes it at Ctrl-C.\nWith --forward the reply is that of the forwarded request, and no redirect is followed, as for a webhook; the server retries what it rejects.',
  parameters: {},
  options: {
    events: eventTypesOption,
    forward: urlOption(
      ['http', 'https'],
      { flag: '--forward <url>', description: 'Forward each delivery unchanged' },
      { asTyped: true },
    ),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench listen', description: 'prints the events of a payment' },
    {
      line: 'tapbench listen --forward http://127.0.0.1:3000/hook',
      description: 'also forwards them to a receiver',
    },
  ],
  async run({ context, options }) {
    const eventTypes = parseEventTypes(options.events);
    // Not interrupted, so that the webhook can be removed.
    const api = connectApi(uninterrupted(context), options);
    let registered = (_secret: string): void => {};
    const { forward } = options;
    const receiver = await startWebhookReceiver({
      fetch: context.fetch,
      secret: new Promise((resolve) => (registered = resolve)),
      ...(forward === undefined ? {} : { forward }),
      onDelivery: (delivery) => print(context, delivery, options.json),
    });
    try {
      const webhook = await api.call('POST /v1/webhooks', {
        body: { url: receiver.url, active: true, eventTypes },
      });
      registered(webhook.secret);
      printLine(context.err, `listening for ${options.events ?? 'all events'}; Ctrl-C to stop`);
      await untilInterrupted(context);
      await api.call('DELETE /v1/webhooks/{webhookId}', { params: { webhookId: webhook.id } });
    } finally {
      await receiver.close();
    }
  },
});

function print(context: CommandContext, delivery: Delivery, asJson: boolean): void {
  const { out, clock } = context;
  const { body, signed, forwarded } = delivery;
  const event = parsed(body);
  if (asJson) return printJsonLine(out, { signed, ...(forwarded === undefined ? {} : { forwarded }), event });
  const check = signed ? coloured(out, 'green', '✓ signed') : coloured(out, 'red', '✗ signature is wrong');
  const { eventType = 'not an event', data } = event;
  const columns = `${eventType.padEnd(TYPE_COLUMNS)}  ${describeObject(data)}`;
  const onward = forwarded === undefined ? '' : `  forwarded: ${forwarded}`;
  out.write(`${coloured(out, 'dim', formatTime(clock.nowMs()))}  ${check}  ${columns}${onward}\n`);
}

interface SomeEvent {
  eventType?: string;
  data?: Parameters<typeof describeObject>[0];
}

function parsed(body: string): SomeEvent {
  try {
    return (parseOutsideJson(body) as SomeEvent | null) ?? {};
  } catch {
    return {};
  }
}
