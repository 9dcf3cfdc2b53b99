import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCarefulClient } from '../../../cli/compare/careful-client.ts';
import { declaredApi } from '../../../cli/compare/declared-api.ts';
import { knownTo, runScenario, type ScenarioRun, type Target } from '../../../cli/compare/run-scenario.ts';
import type { CallStep, Scenario } from '../../../cli/compare/scenario.ts';
import { givenValues, selectScenarios } from '../../../cli/compare/select-scenarios.ts';
import type { Clock } from '../../../protocol/clock.ts';
import { isObject } from '../../../protocol/outside-json.ts';
import { REFUSALS, type RefusalName } from '../../../server/platform/http/refusals.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { messageOf } from '../../journeys/refusals/message.ts';
import { personAt } from './person-at-a-world.ts';

const SCENARIOS = selectScenarios({ scenarios: undefined, only: undefined });
/** Their person fills in a form, which `test/server/api/onboarding` shows. */
const LEFT_OUT = ['accounts/link-opened'];

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
