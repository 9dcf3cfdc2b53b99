import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { DrillDetail, DrillGroup, DrillList } from '../../../server/dashboard/drills/drill-view.ts';
import type { TraceContent } from '../../../server/dashboard/page/trace/trace-content.ts';
import { LOSSES } from '../../cli/drills/losses.ts';
import { callerOf, type Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

type Caller = Pick<Tapbench, 'api'>;

const listOf = async ({ api }: Caller): Promise<DrillList> => (await api('GET', '/dashboard/drills')).body;
const detailOf = async ({ api }: Caller, name: string): Promise<DrillDetail> =>
  (await api('GET', `/dashboard/drills/${name}`)).body;
const start = ({ api }: Caller, name: string) => api('POST', `/dashboard/drills/${name}/play`);

const PLAY_MS_MAX = 100_000;

async function play(tapbench: Caller, name: string) {
  expect(await start(tapbench, name)).toMatchObject({ status: 200 });
  return waitFor(
    `the end of ${name}`,
    async () => {
      const { play: one } = await detailOf(tapbench, name);
      return one?.isPlaying === false ? one : undefined;
    },
    PLAY_MS_MAX,
  );
}

/** All drills of a group take as long as a test may, one after the other, on a machine that does other work as well. */
const GROUP_MS_MAX = 600_000;
const GROUPS: DrillGroup[] = ['terminal', 'online', 'webhooks'];

// Each with a server of its own, with the rate limit that a server has.
test.concurrent.each(GROUPS)(
  'dashboard drills: each of the group %s is shown as the command shows it, and leaves no sandbox behind',
  async (group) => {
    const tapbench = await fixture.tapbench({ env: { RATE_LIMIT: 'on' } });
    const { drills } = await listOf(tapbench);
    expect(drills.map(({ name }) => name)).toEqual(Object.keys(LOSSES));
    const names = drills.filter((drill) => drill.group === group).map(({ name }) => name);
    for (const name of names) {
      const { runs } = await play(tapbench, name);
      expect([name, runs.wrong.outcome, runs.right.outcome]).toEqual([
        name,
        { kind: 'lost', reason: expect.stringMatching(LOSSES[name]!), apart: expect.any(Number) },
        { kind: 'kept', reason: null, apart: 0 },
      ]);
      expect([name, runs.wrong.outcome!.apart > 0]).toEqual([name, true]);
      for (const { lines, orders } of Object.values(runs)) {
        expect([name, orders.length > 0]).toEqual([name, true]);
        expect(lines.some((line) => line.kind === 'call')).toBe(true);
        expect(lines.some((line) => line.kind === 'step' && line.who === 'fault')).toBe(true);
      }
    }
    expect(names.length).toBeGreaterThan(4);
    const { items } = (await tapbench.api('GET', '/sandboxes')).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['default']);
    expect((await listOf(tapbench)).playing).toBeNull();
  },
  GROUP_MS_MAX,
);

test('dashboard drills: a drill is sent as one page with both shops and their traces, without secrets', async () => {
  const tapbench = await fixture.tapbench();
  const { body: before } = await tapbench.api('GET', '/sandbox/objects?type=paymentSession');
  await play(tapbench, 'duplicate-webhook');
  expect((await tapbench.api('GET', '/sandbox/objects?type=paymentSession')).body).toEqual(before);
  const {
    status,
    headers,
    body: text,
  } = await tapbench.api('GET', '/dashboard/drills/duplicate-webhook/page');
  expect([status, headers['content-disposition']]).toEqual([
    200,
    'attachment; filename="drill-duplicate-webhook.html"',
  ]);
  const blockOf = (id: string) =>
    gunzipSync(Buffer.from(new RegExp(`id="${id}">([^<]+)<`).exec(text)![1]!, 'base64')).toString();
  expect(JSON.parse(blockOf('drill'))).toEqual(await detailOf(tapbench, 'duplicate-webhook'));
  for (const shop of ['wrong', 'right']) {
    const content: TraceContent = JSON.parse(blockOf(`trace-${shop}`));
    expect(content.title).toBe(`Drill duplicate-webhook, the ${shop} shop`);
    expect(content.entries.filter(({ kind }) => kind === 'webhook').length).toBeGreaterThan(1);
    expect(blockOf(`trace-${shop}`)).not.toMatch(/sk_sandbox_|dash_|whsec_/);
    const trace = await tapbench.api('GET', `/dashboard/drills/duplicate-webhook/traces/${shop}`);
    expect([trace.status, trace.headers['content-disposition']]).toEqual([
      200,
      `attachment; filename="drill-duplicate-webhook-${shop}.html"`,
    ]);
  }
  for (const path of ['duplicate-webhook/traces/own', 'late-webhook/page', 'late-webhook/traces/wrong'])
    expect(await tapbench.api('GET', `/dashboard/drills/${path}`)).toMatchObject({ status: 404 });
});

test('dashboard drills: what a drill needs and the server lacks is said, and it is not played', async () => {
  const [bare, ignoring] = await Promise.all([
    fixture.tapbench({ command: 'server' }),
    fixture.tapbench({ env: { FAULTS: 'off' } }),
  ]);
  for (const { name, group, unavailable } of (await listOf(bare)).drills) {
    if (group === 'online') expect([name, unavailable]).toEqual([name, null]);
    if (group === 'terminal')
      expect([name, unavailable]).toEqual([name, expect.stringContaining('tapbench up')]);
  }
  expect(await start(bare, 'lost-reply')).toMatchObject({
    status: 409,
    body: {
      errors: [{ message: expect.stringContaining('cannot be played here: it needs a simulated terminal') }],
    },
  });
  expect((await detailOf(bare, 'lost-reply')).play).toBeNull();
  const problems = (await listOf(ignoring)).drills.map(({ unavailable }) => unavailable);
  expect(new Set(problems)).toEqual(
    new Set(['this server ignores plans of faults: start it without FAULTS=off']),
  );
});

test('dashboard drills: need a session of the sandbox default, and the server goes on and stops while one is played', async () => {
  const tapbench = await fixture.tapbench();
  const withKey = (authorization: string) => ({ authorization });
  for (const [method, path] of [
    ['GET', '/dashboard/drills'],
    ['POST', '/dashboard/drills/lost-reply/play'],
  ] as const) {
    expect(await tapbench.api(method, path, undefined, withKey(''))).toMatchObject({ status: 401 });
    expect(await tapbench.api(method, path, undefined, withKey(tapbench.publicKey))).toMatchObject({
      status: 403,
    });
  }
  const { secretKey } = (await tapbench.api('POST', '/sandboxes', { name: 'other' })).body;
  const other = callerOf({ url: tapbench.url, secretKey });
  expect(await other('GET', '/dashboard/drills')).toMatchObject({ status: 403 });
  expect(await start({ api: other }, 'lost-reply')).toMatchObject({ status: 403 });

  expect(await start(tapbench, 'lost-reply')).toMatchObject({ status: 200 });
  expect(await start(tapbench, 'late-webhook')).toMatchObject({ status: 409 });
  expect((await detailOf(tapbench, 'lost-reply')).play).toMatchObject({ isPlaying: true });
  expect(await tapbench.api('GET', '/v1/payment-sessions')).toMatchObject({ status: 200 });
  expect(await tapbench.kill('SIGTERM')).toMatchObject({ code: 0 });
});
