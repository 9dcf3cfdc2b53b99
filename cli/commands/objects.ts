import { formatMinor } from '../../protocol/money.ts';
import type { Input, Item, Reply } from '../../protocol/api-client.ts';
import { checkedByServer, CLIENT_OPTIONS, connectApi, SANDBOX_OPTIONS } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import type { Sink } from '../command-line/command-context.ts';
import { integerOption, stringOption, givenTexts } from '../command-line/option.ts';
import { printJson, printTable, sanitizeText } from '../command-line/output.ts';

const FILTERS = {
  status: stringOption({ flag: '--status <status>', description: 'Only this status, such as Captured' }),
  category: stringOption({
    flag: '--category <name>',
    description: 'Only this type of transactions, events or accounts, or category of files or disputes',
  }),
  object: stringOption({ flag: '--object <id>', description: 'Only objects that name this one' }),
  historyOf: stringOption({
    flag: '--history-of <id>',
    description: 'Only events, or balance transactions, of the history of this object',
  }),
  text: stringOption({
    flag: '--text <text>',
    description: 'Only objects with this text in the id, the name, the e-mail address or the metadata',
  }),
  account: { ...CLIENT_OPTIONS.account, description: 'Only objects of this account' },
};

export const objects = command({
  name: 'objects',
  details: 'Prints the latest objects of all accounts.',
  parameters: { type: required('Type of the objects, such as paymentSession, customer, payout or balance') },
  options: {
    ...FILTERS,
    last: integerOption(
      { min: 1, max: 50 },
      { flag: '--last <number>', description: 'Number of objects to print', defaultValue: '20' },
    ),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    { line: 'tapbench objects transaction --category Refund', description: 'prints the latest refunds' },
    { line: 'tapbench objects customer --text ana@', description: 'finds customers by their e-mail address' },
  ],
  async run({ context, args, options }) {
    const { items } = await connectApi(context, options).call('GET /sandbox/objects', {
      query: {
        type: checkedByServer<Input<'GET /sandbox/objects'>['query']['type']>(args.type),
        limit: options.last,
        ...givenTexts(FILTERS, options),
      },
    });
    if (options.json) return printJson(context.out, items);
    if (items.length === 0) return context.err.write('no object fits\n');
    printTable(context.out, [['ID', 'STATUS', 'AMOUNT', 'NAME', 'ACCOUNT'], ...items.map(rowOf)]);
  },
});

export const object = command({
  name: 'object',
  parameters: { id: required('Id of the object') },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench object ps_01J...', description: 'prints a payment session with its history' }],
  async run({ context, args, options }) {
    const params = { id: args.id };
    const detail = await connectApi(context, options).call('GET /sandbox/objects/{id}', { params });
    if (options.json) printJson(context.out, detail);
    else printDetail(context.out, detail);
  },
});

export const find = command({
  name: 'find',
  parameters: {
    text: required('An id, the requestId of an error, the serial number of a terminal, or an e-mail address'),
  },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench find SIM-0001', description: 'prints the id of the terminal' }],
  async run({ context, args, options }) {
    const query = { text: args.text };
    const { items } = await connectApi(context, options).call('GET /sandbox/search', { query });
    if (options.json) return printJson(context.out, items);
    if (items.length === 0) return context.err.write(`nothing has the id ${sanitizeText(args.text)}\n`);
    printTable(
      context.out,
      items.map(({ id, type, label }) => [id, type, sanitizeText(label ?? '-')]),
    );
  },
});

type ObjectSummary = Item<'GET /sandbox/objects'>;
type ObjectDetail = Reply<'GET /sandbox/objects/{id}'>;

function rowOf({ id, status, amount, currency, label, accountId }: ObjectSummary): string[] {
  const money = amount === null || currency === null ? '-' : formatMinor(amount, currency);
  return [id, status ?? '-', money, sanitizeText(label ?? '-'), accountId ?? '-'];
}

function printDetail(out: Sink, detail: ObjectDetail): void {
  const { object: shown, names, namedBy, history, nextMoment, actions, deleted } = detail;
  const write = (line: string) => out.write(`${sanitizeText(line)}\n`);
  const time = (timestamp: number) => new Date(timestamp * 1000).toISOString().slice(0, 19);
  write(rowOf(detail).join('  ') + (deleted ? '  deleted' : ''));
  printJson(out, shown);
  for (const { member, id } of names) write(`names      ${id}  ${member}`);
  for (const { type, items } of namedBy)
    for (const { id, status } of items) write(`named by   ${[id, type, status].filter(Boolean).join('  ')}`);
  for (const { status, createdTimestamp } of history.states)
    write(`state      ${time(createdTimestamp)}  ${status}`);
  if (history.hasMore.events)
    write(`event      ...  older ones: tapbench objects event --history-of ${detail.id}`);
  for (const { id, eventType, createdTimestamp } of history.events.toReversed())
    write(`event      ${time(createdTimestamp)}  ${eventType}  ${id}`);
  if (history.hasMore.requests) write(`request    ...  older ones: tapbench logs --object ${detail.id}`);
  for (const { id, method, path, status, createdTimestamp } of history.requests.toReversed())
    write(`request    ${time(createdTimestamp)}  ${status ?? '-'} ${method} ${path}  ${id}`);
  if (history.hasMore.entries)
    write(`posting    ...  older ones: tapbench objects balanceTransaction --history-of ${detail.id}`);
  for (const { type, createdTimestamp, postings } of history.entries.toReversed())
    for (const { holder, amount, currency } of postings)
      write(`posting    ${time(createdTimestamp)}  ${type}  ${holder}  ${formatMinor(amount, currency)}`);
  for (const { name, method, path } of actions) write(`action     ${name}  ${method} ${path}`);
  if (nextMoment) write(`next       ${time(nextMoment.timestamp)}  ${nextMoment.what}`);
}
