import { toTimestamp } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import type { ServerApi } from '../client/api-client.ts';
import { uninterrupted, type CommandContext } from '../command-line/command-context.ts';
import { printLine } from '../command-line/output.ts';
import { startDeliveryReceiver, type DeliveryReceiver } from './delivery-receiver.ts';
import type { Keys } from './request.ts';
import { readUnfinished, writeComparison } from './comparison-folder.ts';
import { askLine, askPerson, canAsk } from './hands.ts';
import {
  loadDeclaredApi,
  openOtherSide,
  openSandboxSide,
  uniqueText,
  type HereOptions,
} from './open-sides.ts';
import { assertSpeaksApi, otherAddress, otherKey } from './other-server.ts';
import { needOf, needsText, type Need } from './needs.ts';
import { planLines, planOf } from './plan.ts';
import type { JudgedComparison, ScenarioResult, StoredComparison } from './result.ts';
import { runComparison } from './run-comparison.ts';
import type { Scenario } from './scenario.ts';
import { askedFor, givenValues } from './select-scenarios.ts';

interface CompareParts {
  hostOf(context: CommandContext): ServerApi;
  options: HereOptions & {
    to: string;
    compareKey: string | undefined;
    comparePublicKey: string | undefined;
    yes: boolean;
    hands: boolean;
    resume: boolean;
    out: string;
    json: boolean;
    /** The names of areas or scenarios that the user has typed, between commas. */
    only: string | undefined;
    /** Address that leads to the port, from the other server. */
    receiver: string | undefined;
    receiverPort: number;
  };
}

/**
 * Compares two servers by scenarios, and writes what it has found to a folder after each. Nothing is sent before somebody
 * has agreed.
 * @throws Fault when the address, the key or the other server cannot be used, or nobody agrees
 */
export async function compareServers(
  context: CommandContext,
  scenarios: readonly Scenario[],
  { hostOf, options }: CompareParts,
): Promise<JudgedComparison> {
  const url = otherAddress(options.to);
  const keys = { secret: otherKey(options.compareKey), public: options.comparePublicKey };
  if (options.hands && !canAsk(context))
    throw new Fault('bad_setting', '--hands needs a terminal, at which a person can be asked');
  const head = { version: VERSION, to: url };
  const before = options.resume ? readUnfinished(options.out, head) : undefined;
  const given = {
    hands: options.hands,
    receiver: options.receiver !== undefined,
    publicKey: keys.public !== undefined,
  };
  const needs = (scenario: Scenario) => needOf(scenario, scenarios, given);
  await agree(context, scenarios, url, { ...options, needs });

  const receiver =
    options.receiver === undefined ? undefined : await startDeliveryReceiver(options.receiverPort);
  try {
    return await runAtBoth(context, scenarios, { hostOf, options, keys, head, before, receiver, needs });
  } finally {
    await receiver?.close();
  }
}

async function runAtBoth(
  context: CommandContext,
  scenarios: readonly Scenario[],
  parts: CompareParts & {
    keys: Keys;
    head: Pick<StoredComparison, 'version' | 'to'>;
    before: StoredComparison | undefined;
    receiver: DeliveryReceiver | undefined;
    needs(scenario: Scenario): Need | undefined;
  },
): Promise<JudgedComparison> {
  const { hostOf, options, keys, head, before, receiver, needs } = parts;
  const startedTimestamp = before?.startedTimestamp ?? toTimestamp(context.clock.nowMs());
  const lasting = uninterrupted(context);
  const receivesAt = (base: string | undefined, path: string) =>
    receiver && { url: `${base}/${path}`, deliveries: () => receiver.at(path) };
  const there = openOtherSide(context, lasting, {
    url: head.to,
    keys,
    options,
    askHand: options.hands ? (text) => askPerson(context, text, options.out) : () => Promise.resolve(false),
    receives: receivesAt(options.receiver, 'there'),
  });
  await assertSpeaksApi(there.target.client, keys.secret);
  const results = new Map<string, ScenarioResult>(before?.results.map((one) => [one.name, one]));
  const write = () => {
    const stored: StoredComparison = {
      ...head,
      startedTimestamp,
      scenarios: new Set([...scenarios, ...results.values()].map(({ name }) => name)).size,
      results: [...results.values()],
    };
    return writeComparison(options.out, stored);
  };
  // The folder is of this run from now on.
  write();
  const receives = receivesAt(receiver?.url, 'here');
  const { side: here, close } = await openSandboxSide(context, lasting, {
    hostOf,
    scenarios: scenarios.filter((one) => needs(one) === undefined),
    options,
    receives,
  });
  try {
    await runComparison(context, lasting, scenarios, {
      here,
      there,
      api: await loadDeclaredApi(),
      given: givenValues(),
      earlier: before?.results ?? [],
      uniqueText: () => uniqueText(context),
      needOf: needs,
      asked: askedFor(scenarios, options.only, (one) => needs(one) === undefined),
      onResult(result) {
        results.set(result.name, result);
        write();
        if (!options.json) printLine(context.err, resultLine(result));
      },
      onUnread(names) {
        printLine(context.err, `events not looked at again: ${names.join(', ')}`);
      },
    });
  } finally {
    await close();
  }
  return write();
}

function resultLine({ name, differences, notShown, needs }: ScenarioResult): string {
  if (needs !== null) return `not tried  ${name}: ${notShown}`;
  if (differences.length > 0) return `differs    ${name}: ${differences.length} differences`;
  return notShown === null ? `alike      ${name}` : `not shown  ${name}: ${notShown}`;
}

/** Prints what a run does at the other server, and asks. @throws Fault `bad_setting` when nobody agrees */
async function agree(
  context: CommandContext,
  scenarios: readonly Scenario[],
  to: string,
  { rate, yes, needs }: CompareParts['options'] & { needs(scenario: Scenario): Need | undefined },
): Promise<void> {
  const plan = planOf(scenarios.filter((one) => needs(one) === undefined));
  const lines = planLines(plan, {
    to,
    rate,
    notTried: needsText(scenarios.flatMap((one) => needs(one) ?? [])),
  });
  for (const line of lines) printLine(context.err, line);
  if (yes) return;
  if (!canAsk(context))
    throw new Fault(
      'bad_setting',
      'nobody can be asked whether to go on: add --yes, or run it on a terminal',
    );
  const typed = await askLine(context, 'Go on? Type yes and press Enter.');
  if (!/^y(es)?$/i.test(typed.trim())) throw new Fault('bad_setting', 'nothing was sent, as asked');
}
