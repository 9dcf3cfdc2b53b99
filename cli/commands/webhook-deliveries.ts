import type {
  Delivery,
  DeliveryAttempt,
  DeliverySummary,
} from '../../server/platform/outbox/delivery.schema.ts';
import { connectApi, SANDBOX_OPTIONS, type ServerApi } from '../client/api-client.ts';
import { command, EXIT, optional, required } from '../command-line/command.ts';
import type { Sink } from '../command-line/command-context.ts';
import { integerOption, stringOption, givenTexts, type Values } from '../command-line/option.ts';
import { coloured, printJson, printJsonLine, printTable, sanitizeText } from '../command-line/output.ts';

const FILTERS = {
  status: stringOption({
    flag: '--status <status>',
    description: 'Only Pending, Retrying, Delivered or Failed',
  }),
  reply: stringOption({
    flag: '--reply <status>',
    description: 'Only those whose last attempt got this status, such as 404, a class such as 5xx, or none',
  }),
  event: stringOption({ flag: '--event <event>', description: 'Only this event, by its id or its type' }),
  object: stringOption({ flag: '--object <id>', description: 'Only events with this object' }),
  endpoint: stringOption({
    flag: '--endpoint <endpoint>',
    description: 'Only this endpoint, by its id or its URL',
  }),
  text: stringOption({ flag: '--text <text>', description: 'Only those with this text in body or reply' }),
};

export const webhooksHealth = command({
  name: 'webhooks health',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench webhooks health', description: 'prints one line for each endpoint' }],
  async run({ context, options }) {
    const { items } = await connectApi(context, options).call('GET /sandbox/webhooks');
    if (options.json) return printJson(context.out, items);
    if (items.length === 0)
      return context.err.write("no webhooks; 'tapbench webhooks add URL' registers one\n");
    const rows = items.map(({ id, url, active, health }) => [
      id,
      active ? `${health.delivered} of ${health.deliveries}` : 'inactive',
      String(health.waiting),
      String(health.failuresInRow),
      timeOf(health.lastSuccessTimestamp),
      sanitizeText(health.lastFailure ?? '-'),
      url,
    ]);
    const heading = ['ID', 'DELIVERED', 'WAITING', 'FAILED IN A ROW', 'LAST SUCCESS', 'LAST FAILURE', 'URL'];
    printTable(context.out, [heading, ...rows]);
  },
});

export const webhooksDeliveries = command({
  name: 'webhooks deliveries',
  parameters: { delivery: optional('Id of a delivery, to print it with its attempts') },
  options: {
    ...FILTERS,
    limit: integerOption(
      { min: 1, max: 1000 },
      { flag: '--limit <number>', description: 'Number of deliveries at most', defaultValue: '20' },
    ),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench webhooks deliveries --status Failed',
      description: 'prints one line for each of the latest that failed, newest first',
    },
    {
      line: 'tapbench webhooks deliveries ev_01J....wh_5d0f...',
      description: 'prints one with its body, its signature, and what each attempt sent and got',
    },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    if (args.delivery !== undefined) {
      const params = { deliveryId: args.delivery };
      const delivery = await api.call('GET /sandbox/deliveries/{deliveryId}', { params });
      return options.json ? printJson(context.out, delivery) : printDelivery(context.out, delivery);
    }
    const items = await latestDeliveries(api, options);
    if (options.json) return printJson(context.out, items);
    if (items.length === 0) return context.err.write('no such deliveries\n');
    const rows = items.map(({ id, eventType, objectId, status, attempts, lastResult, createdTimestamp }) => [
      timeOf(createdTimestamp),
      eventType,
      objectId,
      `${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
      sanitizeText(lastResult ?? '-'),
      id,
    ]);
    printTable(context.out, [['TIME (UTC)', 'EVENT', 'OBJECT', 'STATUS', 'LAST REPLY', 'ID'], ...rows]);
  },
});

export const webhooksSend = command({
  name: 'webhooks send',
  details: 'Sends one after the other, in the order given, each after the reply to the one before.',
  parameters: { deliveries: required('Ids of deliveries, separated by commas') },
  options: SANDBOX_OPTIONS,
  exitCodes: { [EXIT.failed]: 'an endpoint did not reply with 2xx, or the server refused' },
  examples: [
    {
      line: 'tapbench webhooks send ev_01J....wh_5d0f...',
      description: 'sends it once more and prints the reply',
    },
    {
      line: 'tapbench webhooks send ev_02....wh_5d0f...,ev_01....wh_5d0f...',
      description: 'sends the later event first',
    },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    let failed = false;
    for (const deliveryId of args.deliveries.split(',').filter(Boolean)) {
      const params = { deliveryId };
      const delivery = await api.call('POST /sandbox/deliveries/{deliveryId}/send', { params });
      if (options.json) printJsonLine(context.out, delivery);
      else context.out.write(`${sentLine(context.out, delivery)}\n`);
      failed ||= !isAcknowledged(delivery.attemptLog.at(-1));
    }
    return failed ? EXIT.failed : EXIT.ok;
  },
});

const PAGE_ITEMS = 50; // Spec §8, the most there may be

async function latestDeliveries(
  api: ServerApi,
  options: Values<typeof FILTERS> & { limit: number },
): Promise<DeliverySummary[]> {
  const found: DeliverySummary[] = [];
  let startsAfter: string | undefined;
  do {
    const limit = Math.min(PAGE_ITEMS, options.limit - found.length);
    const query = { ...givenTexts(FILTERS, options), limit, startsAfter };
    const page = await api.call('GET /sandbox/deliveries', { query });
    found.push(...page.items);
    if (page.paginationToken === null) break;
    startsAfter = page.paginationToken;
  } while (found.length < options.limit);
  return found;
}

function timeOf(timestamp: number | null): string {
  return timestamp === null ? '-' : new Date(timestamp * 1000).toISOString().slice(0, 19);
}

function isAcknowledged(attempt: DeliveryAttempt | undefined): boolean {
  const status = attempt?.reply?.status ?? 0;
  return status >= 200 && status < 300;
}

function resultOf(out: Sink, attempt: DeliveryAttempt): string {
  const text = sanitizeText(attempt.problem ?? String(attempt.reply!.status));
  return coloured(out, isAcknowledged(attempt) ? 'green' : 'red', text);
}

function sentLine(out: Sink, { eventType, objectId, url, attemptLog }: Delivery): string {
  const attempt = attemptLog.at(-1)!;
  return [eventType, objectId, resultOf(out, attempt), `${attempt.elapsedMs} ms`, url].join('  ');
}

function printDelivery(out: Sink, delivery: Delivery): void {
  const { eventType, url, status, attempts, nextAttemptTimestamp, signature, request, body } = delivery;
  const next = nextAttemptTimestamp === null ? '' : `, next at ${timeOf(nextAttemptTimestamp)}`;
  const lines = [
    `${coloured(out, 'bold', eventType)}  ${url}`,
    `Status     ${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${next}`,
    ...(request === null ? [] : [`Request    ${request.method} ${request.path}  ${request.id}`]),
    `Signature  ${signature.value ?? 'unknown'}`,
    `           ${signature.algorithm} of the body in hex, with the secret of the endpoint, in ${signature.header}`,
    '',
    body,
    ...delivery.attemptLog.flatMap((attempt) => ['', ...attemptLines(out, attempt)]),
  ];
  out.write(`${lines.join('\n')}\n`);
}

function attemptLines(out: Sink, attempt: DeliveryAttempt): string[] {
  const { number, createdTimestamp, elapsedMs, sentAgain, headers, reply } = attempt;
  const fields = (mark: string, shown: object) =>
    Object.entries(shown).map(([name, value]) => sanitizeText(`  ${mark} ${name}: ${String(value)}`));
  const head = [`Attempt ${number}`, timeOf(createdTimestamp), resultOf(out, attempt), `${elapsedMs} ms`];
  return [
    [...head, ...(sentAgain ? ['sent again'] : [])].join('  '),
    ...fields('>', headers),
    ...(reply === null ? [] : fields('<', reply.headers)),
    ...(reply === null || reply.body === ''
      ? []
      : reply.body.split('\n').map((line) => `  ${sanitizeText(line)}`)),
  ];
}
