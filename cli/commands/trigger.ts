import { Fault } from '../../protocol/failures.ts';
import { EVENT_TYPE_NAMES, type EventType } from '../../server/api/webhooks/event-types.ts';
import {
  CLIENT_OPTIONS,
  createApi,
  httpTransport,
  pause,
  secretKeyOf,
  type ClientOptions,
} from '../client/api-client.ts';
import { command, optional } from '../command-line/command.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { describeObject } from '../client/describe-object.ts';
import { booleanOption, listOption } from '../command-line/option.ts';
import { coloured, printJson, printLine } from '../command-line/output.ts';
import { describePath } from '../trigger/trigger-paths.ts';
import { parseMemberChange } from '../trigger/member-change.ts';
import type { StepRunner } from '../trigger/run-step.ts';
import { triggerEvent } from '../trigger/trigger-event.ts';

export const trigger = command({
  name: 'trigger',
  details:
    'Creates what the event needs, such as a customer or a sub account, and makes the calls that lead to it; it prints each. Some paths advance the clock of the sandbox.\n--set changes a member of the call marked with > in --list, or of another by the name of its step: --set session:currency=EUR. Values of numbers, lists and objects are JSON.',
  parameters: { event: optional('Event type, such as PaymentSession.captured') },
  options: {
    set: listOption('--set <member=value>', 'Member of the body of a call; can be given several times'),
    list: booleanOption('--list', 'Print the calls that lead to each event type, or to EVENT'),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench trigger PaymentSession.captured', description: 'takes an online payment' },
    {
      line: 'tapbench trigger Dispute.created --set session:amount=1742',
      description: 'disputes a payment of 17.42',
    },
    { line: 'tapbench trigger --list', description: 'prints all event types and their calls' },
  ],
  async run({ context, args, options }) {
    const eventType = args.event === undefined ? undefined : eventTypeNamed(args.event);
    if (options.list) return printPaths(context.out, eventType, options.json);
    if (eventType === undefined)
      throw new Fault('bad_setting', `EVENT is missing: 'tapbench trigger --list' prints all event types`);
    const changes = options.set.map(parseMemberChange);
    const { account } = options;
    const unique = Buffer.from(context.random.bytes(5)).toString('hex');
    const event = await triggerEvent(runnerOf(context, options), { eventType, changes, account }, unique);
    if (options.json) printJson(context.out, event);
    else printLine(context.out, [event.eventType, describeObject(event.data), event.id].join('  '));
    if (event.endpoints.length === 0)
      context.err.write("no webhook receives it: 'tapbench listen' in another window prints events\n");
  },
});

/** @throws Fault `bad_setting` for a name that is no event type */
function eventTypeNamed(typed: string): EventType {
  const found = EVENT_TYPE_NAMES.find((name) => name === typed);
  if (found) return found;
  throw new Fault(
    'bad_setting',
    `'${typed.slice(0, 60)}' is not an event type: 'tapbench trigger --list' prints all of them`,
  );
}

/** Sends the requests over the network, and prints each. */
function runnerOf(context: CommandContext, options: ClientOptions): StepRunner {
  const { url, origin } = options;
  const secretKey = secretKeyOf(options);
  const carry = httpTransport(context, options);
  const { err } = context;
  return {
    async send({ method, path, account, body }) {
      const api = createApi(context, carry, { url, origin, secretKey, account });
      const answer = await api.ask(method, path, body);
      if (method !== 'GET') err.write(coloured(err, 'dim', `${method} ${path}  ${answer.status}\n`));
      return answer;
    },
    pause: (ms) => pause(context, ms),
  };
}

function printPaths(out: Sink, only: EventType | undefined, asJson: boolean): void {
  const types = only === undefined ? EVENT_TYPE_NAMES : [only];
  if (asJson) return printJson(out, types.map(describePath));
  for (const type of types) {
    const { when, steps } = describePath(type);
    const width = Math.max(...steps.map(({ name }) => name.length));
    out.write(`${coloured(out, 'bold', type)}  ${when}\n`);
    for (const { name, main, calls } of steps)
      for (const call of calls) printLine(out, `  ${main ? '>' : ' '} ${name.padEnd(width)}  ${call}`);
  }
}
