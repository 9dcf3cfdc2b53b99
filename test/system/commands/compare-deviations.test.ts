import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFrom } from '../../kit/count-from.ts';
import { FILTER_AND_PLACE_DEVIATIONS } from '../kit/deviations/filters-and-places.ts';
import { LIST_AND_EVENT_DEVIATIONS } from '../kit/deviations/lists-and-events.ts';
import { REFUSAL_DEVIATIONS } from '../kit/deviations/refusals.ts';
import { VALUE_DEVIATIONS } from '../kit/deviations/values.ts';
import { startDeviatingServer, type DeviatingServer, type Deviation } from '../kit/deviating-server.ts';
import type { Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const ALL = [
  ...VALUE_DEVIATIONS,
  ...REFUSAL_DEVIATIONS,
  ...LIST_AND_EVENT_DEVIATIONS,
  ...FILTER_AND_PLACE_DEVIATIONS,
];
/** Every so-manieth deviation is tried, so that a few tests have some of each kind: `DEVIATIONS=1` tries all. */
const EVERY = countFrom('DEVIATIONS', 10);
const TRIED = ALL.filter((_, index) => index % EVERY === 0);

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
let other: { secretKey: string; publicKey: string };
let deviating: DeviatingServer;
beforeAll(async () => {
  tapbench = await fixture.tapbench({ command: 'server', args: ['--ephemeral'] });
  other = (await tapbench.api('POST', '/sandboxes', { strict: 'on' })).body;
  deviating = await startDeviatingServer(tapbench.url);
  fixture.onCleanUp(() => deviating.close());
});

/** Compares with the deviating server, and returns the differences as a deviation lists them. */
async function compare(deviation: Deviation | undefined, scenarios: string) {
  deviating.deviate(deviation);
  const out = fixture.folder();
  const args = ['--to', deviating.url, '--only', scenarios, '--rate', '50', '--yes', '--out', out];
  const { code, stdout, stderr } = await fixture.run(['compare', ...args], {
    env: {
      TAPBENCH_URL: tapbench.url,
      SECRET_KEY: tapbench.secretKey,
      COMPARE_KEY: other.secretKey,
      COMPARE_PUBLIC_KEY: other.publicKey,
    },
  });
  const result = JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'));
  const isOne = !scenarios.includes(',');
  const placeOf = (found: Json) =>
    result.differences.find(
      ({ example, scenarios: all }: Json) =>
        all.includes(found.scenario) &&
        ['operation', 'kind', 'member'].every((part) => example[part] === found[part]),
    )?.place;
  const differs: Record<string, string> = {};
  for (const found of result.results.flatMap((one: Json) => one.differences)) {
    const { scenario, step, kind, member } = found;
    differs[`${isOne ? '' : `${scenario} `}${step} ${kind} ${member}`.trimEnd()] = placeOf(found);
  }
  return { code, output: stdout + stderr, differs, notShown: result.counts.notShown, out };
}

test('compare: finds no difference of a server that does not deviate', async () => {
  const scenarios = [...new Set(TRIED.flatMap((one) => one.scenarios.split(',')))];
  expect(await compare(undefined, scenarios.join(','))).toMatchObject({ code: 0, differs: {}, notShown: 0 });
});

test('compare: finds no difference of a server that has older objects than ours', async () => {
  const scenarios = 'payments/list,subscriptions/list,files/upload,api/token-of-deleted,webhooks/events';
  await compare(undefined, scenarios);
  expect(await compare(undefined, scenarios)).toMatchObject({ code: 0, differs: {}, notShown: 0 });
});

test.each(TRIED)('compare: finds that $name ($area), and nothing else', async (deviation) => {
  const { code, output, differs, notShown, out } = await compare(deviation, deviation.scenarios);
  expect(differs, output).toEqual(deviation.differs);
  const shown = output + readFileSync(join(out, 'comparison.json'), 'utf8');
  expect(shown).not.toMatch(/4012000000060085|_secret_[0-9a-f]{8}-/);
  expect(shown).not.toContain(other.secretKey);
  const places = Object.values(deviation.differs);
  const isBroken = places.some((place) => place !== 'choice' && place !== 'extension');
  expect([code, notShown], output).toEqual(deviation.notShown === undefined ? [isBroken ? 1 : 0, 0] : [2, 1]);
  if (deviation.notShown !== undefined) expect(output).toContain(deviation.notShown);
});
