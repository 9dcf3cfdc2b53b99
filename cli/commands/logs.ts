import { Fault } from '../../protocol/failures.ts';
import { requestOf, type Input, type Item } from '../../protocol/api-client.ts';
import { CLIENT_OPTIONS, connectApi, pause, refused, type ServerApi } from '../client/api-client.ts';
import { command, optional } from '../command-line/command.ts';
import type { Sink } from '../command-line/command-context.ts';
import { formatTime } from '../log/activity-printer.ts';
import { booleanOption, integerOption, stringOption, givenTexts } from '../command-line/option.ts';
import { coloured, printJson, printJsonLine, type Colour, sanitizeText } from '../command-line/output.ts';

const LIST_REQUESTS = 'GET /sandbox/requests';

type RequestQuery = NonNullable<Input<typeof LIST_REQUESTS>['query']>;
type RequestSummary = Item<typeof LIST_REQUESTS>;

const POLL_MS = 500;
const PAGE_ITEMS = 50;

const { account, ...client } = CLIENT_OPTIONS;

const FILTERS = {
  status: stringOption({
    flag: '--status <status>',
    description: 'Only this status, such as 404, or class of them, such as 4xx',
  }),
  method: stringOption({ flag: '--method <method>', description: 'Only this HTTP method' }),
  path: stringOption({ flag: '--path <text>', description: 'Only paths with this text' }),
  object: stringOption({ flag: '--object <id>', description: 'Only requests about this object' }),
  account: { ...account, description: 'Only requests for this account' },
  text: stringOption({
    flag: '--text <text>',
    description: 'Only requests with this text in path, body or reply',
  }),
};

export const logs = command({
  name: 'logs',
  details: 'Prints the latest requests and then those that arrive, until Ctrl-C.',
  parameters: { request: optional('Id of a request, to print it whole with its reply') },
  options: {
    ...FILTERS,
    last: integerOption(
      { min: 0, max: PAGE_ITEMS },
      { flag: '--last <number>', description: 'Number of earlier requests to print', defaultValue: '10' },
    ),
    once: booleanOption('--once', 'Print the earlier requests and exit'),
    ...client,
  },
  examples: [
    { line: 'tapbench logs', description: 'prints each request as it arrives' },
    {
      line: 'tapbench logs --status 4xx --once',
      description: 'prints the latest requests that were refused',
    },
    { line: 'tapbench logs req_01J...', description: 'prints one as JSON, with its body and its reply' },
  ],
  async run({ context, args, options }) {
    const api = connectApi(context, { ...options, account: undefined });
    if (args.request !== undefined) {
      const params = { id: args.request };
      return printJson(context.out, await api.call('GET /sandbox/requests/{id}', { params }));
    }
    const print = (item: RequestSummary) =>
      options.json ? printJsonLine(context.out, item) : context.out.write(`${lineOf(context.out, item)}\n`);
    const filters = givenTexts(FILTERS, options);
    const earlier = await pageOf(api, { ...filters, limit: Math.max(options.last, 1) });
    const items = earlier.reverse();
    if (options.last > 0) items.forEach(print);
    if (options.once) return;
    for (let lastId = items.at(-1)?.id; ;) {
      try {
        await pause(context, POLL_MS);
        lastId = await printNewer(api, { filters, lastId, print });
      } catch (error) {
        if (context.interrupted.aborted) return;
        throw error;
      }
    }
  },
});

/** Prints the requests after `lastId`, and returns the id of the last one. */
async function printNewer(
  api: ServerApi,
  {
    filters,
    lastId,
    print,
  }: { filters: Record<string, string>; lastId: string | undefined; print: (item: RequestSummary) => void },
): Promise<string | undefined> {
  let after = lastId;
  for (;;) {
    const items = await pageOf(api, {
      ...filters,
      ascending: true,
      limit: PAGE_ITEMS,
      ...(after !== undefined && { startsAfter: after }),
    });
    items.forEach(print);
    after = items.at(-1)?.id ?? after;
    if (items.length < PAGE_ITEMS) return after;
  }
}

async function pageOf(api: ServerApi, query: RequestQuery): Promise<RequestSummary[]> {
  const answer = await api.answer(LIST_REQUESTS, { query });
  if (answer.ok) return answer.body.items;
  const { status } = answer;
  const { startsAfter, ...rest } = query;
  // It was deleted, as all before it: the oldest that is left comes next.
  if (status === 400 && startsAfter !== undefined) return pageOf(api, rest);
  if (status === 404) throw new Fault('server_answer', 'the server has live keys: it stores no requests');
  const { method, path } = requestOf(LIST_REQUESTS, { query });
  throw refused(method, path, answer, api);
}

function lineOf(out: Sink, item: RequestSummary): string {
  const { method, path, status, receivedTimestamp, elapsedMs, keyLastFour, refusal, idempotencyKey, id } =
    item;
  const parts = [
    coloured(out, 'dim', formatTime(receivedTimestamp * 1000)),
    coloured(out, colourOf(status), String(status ?? '-').padEnd(3)),
    // The caller chooses the path.
    sanitizeText(`${method.padEnd(6)} ${path}`),
    `${elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms`,
    ...(refusal === null ? [] : [refusal]),
    ...(idempotencyKey === 'ignored' ? [coloured(out, 'yellow', 'Idempotency-Key ignored')] : []),
    ...(keyLastFour === null ? [] : [`key …${sanitizeText(keyLastFour)}`]),
    coloured(out, 'dim', id),
  ];
  return parts.join('  ');
}

function colourOf(status: number | null): Colour {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
