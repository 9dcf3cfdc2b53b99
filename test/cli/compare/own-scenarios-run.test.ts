import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCarefulClient } from '../../../cli/compare/careful-client.ts';
import { declaredApi } from '../../../cli/compare/declared-api.ts';
import { knownTo, runScenario, type ScenarioRun, type Target } from '../../../cli/compare/run-scenario.ts';
import { memberAt } from '../../../cli/compare/references.ts';
import type { CallStep, Scenario } from '../../../cli/compare/scenario.ts';
import { givenValues, selectScenarios } from '../../../cli/compare/select-scenarios.ts';
import type { Clock } from '../../../protocol/clock.ts';
import { isObject } from '../../../protocol/outside-json.ts';
import { REFUSALS, type RefusalName } from '../../../server/platform/http/refusals.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { messageOf } from '../../journeys/refusals/message.ts';
import { allItems } from '../../journeys/all-items.ts';
import { personAt } from './person-at-a-world.ts';
import { SHOWN_OUTCOMES } from './shown-outcomes.ts';

const SCENARIOS = selectScenarios({ scenarios: undefined, only: undefined });
/** Deliveries arrive at a port, in a test of the command. */
const LEFT_OUT = ['webhooks/delivery'];

let world: World;
const runs = new Map<string, ScenarioRun>();

/** The clock of a world, which goes on to the instant that a pause ends at. */
function hastenedClock(): Clock {
  return {
    nowMs: () => world.clock.nowMs(),
    at(atMs, run) {
      let isCancelled = false;
      const ms = Math.max(0, atMs - world.clock.nowMs());
      void world.advance({ ms }).then(() => isCancelled || run());
      return { cancel: () => (isCancelled = true) };
    },
  };
}

beforeAll(async () => {
  world = await startWorld({ settings: { strict: 'on' } });
  const terminal = await world.addTerminal();
  const { publicUrl, secretKey, publicKey } = world.server.services.settings;
  const context = {
    clock: hastenedClock(),
    fetch: world.fetch,
    interrupted: new AbortController().signal,
  };
  const client = createCarefulClient(context, { url: publicUrl, requestsPerSecond: Infinity });
  const target: Target = { client, keys: { secret: secretKey, public: publicKey }, pollMs: 1_000 };
  const document = await (await world.fetch(`${publicUrl}/openapi.json`)).json();
  const { takesMetadata } = declaredApi(document as object);
  const given = givenValues();
  for (const [index, scenario] of SCENARIOS.entries()) {
    const parts = {
      target,
      unique: `r${index.toString(36)}`,
      known: knownTo(scenario, given, runs),
      takesMetadata,
      askHand: personAt(world, terminal),
    };
    runs.set(scenario.name, await runScenario(context, scenario, parts, { context, target }));
  }
}, 300_000);

afterAll(() => world.close());

test('own scenarios: all steps of each are done, one after the other, at one server', () => {
  const stopped = SCENARIOS.filter(({ name }) => !LEFT_OUT.includes(name)).flatMap(({ name }) => {
    const reason = runs.get(name)?.stopped;
    return reason ? [`${name}, step ${reason.step}: ${reason.reason}`] : [];
  });
  expect(stopped).toEqual([]);
});

test('own scenarios: each call gets the refusal that it names, and every other call none', () => {
  const wrong = SCENARIOS.flatMap((scenario) =>
    (runs.get(scenario.name)?.observations ?? []).flatMap(({ step, reply }) => {
      const done = scenario.steps[step]!;
      const isRight = 'call' in done ? isAsMeant(done, reply) : reply.status === 200;
      return isRight ? [] : [`${nameOf(scenario, step)}: ${reply.status} ${JSON.stringify(reply.body)}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test.each(Object.entries(SHOWN_OUTCOMES))('own scenarios: %s shows what its title says', (name, wanted) => {
  const replies = Object.fromEntries(runs.get(name)?.replies ?? []);
  const seen = Object.keys(wanted).map((path) => [path, memberAt(replies, path.split('.'))]);
  expect(Object.fromEntries(seen)).toEqual(wanted);
});

test('own scenarios: they leave behind accounts, one customer, and payments and subscriptions that are over', async () => {
  const account = runs.get('accounts/sub-account')?.replies.get('account') as { id: string };
  const left = async (path: string, api = world.api) => allItems<Record<string, unknown>>(api, `/v1${path}`);
  const onePage = async (path: string) => (await world.api.get(`/v1${path}`)).body.items;
  expect(await onePage('/webhooks')).toEqual([]);
  expect(await onePage(`/accounts/${account.id}/payout-methods`)).toEqual([]);
  expect(await left('/wallet-pay/web-domains')).toEqual([]);
  expect(await left('/in-person/locations')).toEqual([expect.objectContaining({ name: 'Corner Shop' })]);
  expect(await left('/in-person/terminals')).toEqual([
    expect.objectContaining({ name: 'Simulated terminal 1000', location: { id: expect.any(String) } }),
  ]);
  expect(await left('/customers')).toEqual([
    expect.objectContaining({ email: expect.stringMatching(/^stored-/) }),
  ]);
  expect(await left('/customers', world.api.as(account.id))).toEqual([]);
  const statuses = (await left('/subscriptions')).map(({ status }) => status);
  expect([...new Set(statuses)].toSorted()).toEqual(['Cancelled', 'Ended']);
  const held = (await left('/payment-sessions')).filter(
    ({ status, amount }) => status === 'Approved' && amount !== 0,
  );
  expect(held).toEqual([]);
});

function nameOf({ name }: Scenario, step: number): string {
  return `${name}, step ${step}`;
}

function isAsMeant(
  { refusal, then }: CallStep,
  { status, body }: { status: number; body: unknown },
): boolean {
  // What is removed at the end may be over by itself.
  if (refusal === undefined) return then === 'cleanup' || (status >= 200 && status < 300);
  const name = refusal as RefusalName;
  const errors = isObject(body) && Array.isArray(body['errors']) ? body['errors'] : [];
  const [error] = errors as { message: string }[];
  return status === REFUSALS[name].status && messageOf(name).test(error?.message ?? '');
}
