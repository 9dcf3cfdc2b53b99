import type { Item } from '../../protocol/api-client.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { CUT_POINTS } from '../../server/platform/faults/cut-points.ts';
import { FAULT_MEMBERS, type NumberMember } from '../../server/platform/faults/fault-members.ts';
import { plannedFaultsOf } from '../../server/platform/faults/fault-plan.schema.ts';
import { checkedByServer, connectApi, SANDBOX_OPTIONS, type ServerApi } from '../client/api-client.ts';
import { command, required, readFileOf } from '../command-line/command.ts';
import { json, printJson, printLine, printTable } from '../command-line/output.ts';
import type { Sink } from '../command-line/command-context.ts';
import { formatTime } from '../log/activity-printer.ts';
import { integerOption, stringOption } from '../command-line/option.ts';

type FaultPlan = Item<'GET /sandbox/faults'>;

const idParameter = required('Id of the plan, plan_...');

export const faults = command({
  name: 'faults',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [
    {
      line: 'tapbench faults',
      description: 'prints one line for each fault, with how often it struck or never',
    },
  ],
  async run({ context, options }) {
    // The table has no strikes.
    const query = options.json ? {} : { strikes: 0 };
    const { items } = await connectApi(context, options).call('GET /sandbox/faults', { query });
    if (options.json) return printJson(context.out, items);
    if (items.length === 0) return context.err.write("no faults; 'tapbench faults add' adds one\n");
    printFaults(context.out, items);
  },
});

export const faultsPoints = command({
  name: 'faults points',
  parameters: {},
  options: { json },
  examples: [
    { line: 'tapbench faults points', description: 'prints where faults can strike, and what each does' },
  ],
  async run({ context, options }) {
    if (options.json) return printJson(context.out, CUT_POINTS);
    for (const [at, { title, faults: known }] of Object.entries(CUT_POINTS)) {
      printLine(context.out, `${at}: ${title}`);
      printTable(
        context.out,
        Object.entries(known).map(([what, text]) => [`  ${what}`, text]),
      );
    }
  },
});

function limitsOf(member: NumberMember): { min: number; max: number } {
  const { minimum, maximum } = FAULT_MEMBERS[member];
  return { min: minimum, max: maximum };
}

export const faultsAdd = command({
  name: 'faults add',
  details:
    'The fault strikes the first occurrence unless the options say which. A plan of several faults comes from a file: see faults load.',
  parameters: {
    at: required('Where it strikes, such as api.reply: see faults points'),
    what: required('What happens, such as reset'),
  },
  options: {
    operation: stringOption({
      flag: '--operation <name>',
      description: 'Of this operation, such as "POST /v1/payment-sessions"',
    }),
    message: stringOption({
      flag: '--message <name>',
      description: 'Of this message, such as action.completed',
    }),
    state: stringOption({
      flag: '--state <name>',
      description: 'In this state of the machine of a terminal, such as awaitingPin',
    }),
    effect: stringOption({
      flag: '--effect <name>',
      description: 'Of this effect of the machine of a terminal, such as printCustomerCopy',
    }),
    eventType: stringOption({
      flag: '--event-type <name>',
      description: 'Of this event, such as PaymentSession.captured',
    }),
    id: stringOption({
      flag: '--id <id>',
      description: 'Of this object: a terminal, a payment session, a webhook endpoint',
    }),
    endpoint: stringOption({
      flag: '--endpoint <endpoint>',
      description: 'Of this webhook endpoint, by its id or its URL',
    }),
    untilAttempt: integerOption(limitsOf('untilAttempt'), {
      flag: '--until-attempt <number>',
      description: 'Only attempts of an event before this one',
    }),
    nth: integerOption(limitsOf('nth'), {
      flag: '--nth <number>',
      description: 'The first occurrence that it strikes',
      defaultText: '1',
    }),
    times: integerOption(limitsOf('times'), {
      flag: '--times <number>',
      description: 'How often it strikes',
      defaultText: '1',
    }),
    forMs: integerOption(limitsOf('forMs'), {
      flag: '--for-ms <number>',
      description: 'How long it strikes, from its first strike, time of the sandbox',
    }),
    percent: integerOption(limitsOf('percent'), {
      flag: '--percent <number>',
      description: 'How likely it strikes an occurrence, in percent',
      defaultText: '100',
    }),
    seed: stringOption({
      flag: '--seed <text>',
      description: 'Decides which occurrences --percent chooses',
      defaultText: 'default',
    }),
    delayMs: integerOption(limitsOf('delayMs'), {
      flag: '--delay-ms <number>',
      description: 'How long it lasts, where it takes time',
      defaultText: '5000',
    }),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench faults add api.reply reset --operation "POST /v1/payment-sessions"',
      description: 'loses the next reply',
    },
    {
      line: 'tapbench faults add webhook.attempt twice --times 100',
      description: 'delivers the next 100 events twice',
    },
    {
      line: 'tapbench faults add api.request unavailable --for-ms 60000',
      description: 'replies 503 to each request for a minute, from the next one on',
    },
    {
      line: 'tapbench faults add webhook.attempt dropped --endpoint http://127.0.0.1:3000/hook --until-attempt 3 --times 100',
      description: 'lets events for one endpoint arrive at their third attempt',
    },
  ],
  async run({ context, args, options }) {
    const {
      operation,
      message,
      state,
      effect,
      eventType,
      untilAttempt,
      nth,
      times,
      forMs,
      percent,
      delayMs,
    } = options;
    const api = connectApi(context, options);
    const { endpoint } = options;
    const id = endpoint === undefined ? options.id : await endpointIdOf(api, endpoint);
    const when = defined({
      operation,
      message,
      state,
      effect,
      eventType,
      id,
      untilAttempt,
      nth,
      times,
      forMs,
      percent,
    });
    const fault = { ...args, ...defined({ delayMs }), ...(Object.keys(when).length > 0 && { when }) };
    const seed = defined({ seed: options.seed });
    const plan = await api.call('POST /sandbox/faults', {
      body: checkedByServer({ ...seed, faults: [fault] }),
    });
    if (options.json) printJson(context.out, plan);
    else printLine(context.out, `${plan.id} is active`);
  },
});

export const faultsLoad = command({
  name: 'faults load',
  parameters: { file: required('JSON file of a plan, as POST /sandbox/faults takes it') },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench faults load night.json', description: 'puts the plan on the sandbox' }],
  async run({ context, args, options }) {
    const plan = await connectApi(context, options).call('POST /sandbox/faults', {
      body: checkedByServer(readPlan(args.file)),
    });
    if (options.json) printJson(context.out, plan);
    else printLine(context.out, `${plan.id} is active`);
  },
});

export const faultsShow = command({
  name: 'faults show',
  parameters: { id: idParameter },
  options: SANDBOX_OPTIONS,
  examples: [
    { line: 'tapbench faults show plan_1', description: 'prints its faults, and each time that one struck' },
  ],
  async run({ context, args, options }) {
    const plan = await withAllStrikes(connectApi(context, options), args.id);
    if (options.json) return printJson(context.out, plan);
    printFaults(context.out, [plan]);
    for (const { timestamp, what, subject, ids } of plan.strikes)
      printLine(context.out, `${formatTime(timestamp * 1000)}  ${what}  ${subject}  ${ids.join(' ')}`);
  },
});

export const faultsDelete = command({
  name: 'faults delete',
  parameters: { id: idParameter },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench faults delete plan_1', description: 'ends the plan and deletes it' }],
  async run({ context, args, options }) {
    const deleted = await connectApi(context, options).call('DELETE /sandbox/faults/{id}', {
      params: { id: args.id },
    });
    if (options.json) printJson(context.out, deleted);
    else printLine(context.out, `${args.id} deleted`);
  },
});

/** Reads a plan with everything that struck: a reply has a part of it. */
async function withAllStrikes(api: ServerApi, id: string): Promise<FaultPlan> {
  const strikes: FaultPlan['strikes'] = [];
  for (let after = 0; ;) {
    const plan = await api.call('GET /sandbox/faults/{id}', {
      params: { id },
      query: { strikesAfter: after },
    });
    strikes.push(...plan.strikes);
    const last = plan.strikes.at(-1);
    if (!last || strikes.length >= plan.struck) return { ...plan, strikes };
    after = last.number;
  }
}

/** @throws Fault `bad_setting` when there is no webhook endpoint with this id or URL */
async function endpointIdOf(api: ServerApi, endpoint: string): Promise<string> {
  const { items } = await api.call('GET /sandbox/webhooks');
  const found = items.find(({ id, url }) => id === endpoint || url === endpoint.split('?')[0]);
  if (!found)
    throw new Fault('bad_setting', `no webhook endpoint ${endpoint}; 'tapbench webhooks health' lists them`);
  return found.id;
}

/** @throws Fault `bad_setting` when the file cannot be read or is not JSON; the server checks the rest */
function readPlan(file: string): unknown {
  const text = readFileOf(file).toString();
  try {
    return parseOutsideJson(text);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file} is not JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function printFaults(out: Sink, plans: readonly FaultPlan[]): void {
  const rows = plans.flatMap(({ id, status, faults: planned, struckByFault }) =>
    plannedFaultsOf({ faults: planned }).map(({ at, what, when = {} }, index) => [
      index === 0 ? id : '',
      index === 0 ? status : '',
      String(struckByFault[index] || 'never'),
      at,
      what,
      Object.entries(when)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ]),
  );
  printTable(out, [['PLAN', 'STATUS', 'STRUCK', 'AT', 'WHAT', 'WHEN'], ...rows]);
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
