import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../cli/drills/stage.ts';
import { freePort } from '../../kit/free-port.ts';
import { startAwkwardServer, type Awkwardness } from '../kit/awkward-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench({ args: ['--ephemeral'], env: { RATE_LIMIT: 'off' } });
});

/** Makes a sandbox that is the other server, and starts comparisons with it or with what stands before it. */
async function prepare(awkward: (asked: string, count: number) => Awkwardness | undefined = () => undefined) {
  const sandbox: Json = (await tapbench.api('POST', '/sandboxes', { strict: 'on', pace: 'instant' })).body;
  const server = await startAwkwardServer(tapbench.url, awkward);
  fixture.onCleanUp(() => server.close());
  const folder = fixture.folder();
  const start = (only: string, flags: string[] = ['--yes'], key: string = sandbox.secretKey) =>
    fixture.command(['compare', '--to', server.url, '--only', only, '--rate', '50', ...flags], {
      cwd: folder,
      env: { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey, COMPARE_KEY: key },
    });
  const read = (): Json => JSON.parse(readFileSync(join(folder, 'comparison/comparison.json'), 'utf8'));
  const customers = async (): Promise<Json[]> => {
    const reply = await fetch(`${tapbench.url}/v1/customers`, {
      headers: { authorization: sandbox.secretKey },
    });
    const { items }: Json = await reply.json();
    return items;
  };
  const ownSandboxes = async (): Promise<string[]> =>
    (await tapbench.api('GET', '/sandboxes')).body.items
      .map(({ name }: Json) => name)
      .filter((name: string) => name.startsWith('compare-'));
  return { sandbox, server, folder, start, read, customers, ownSandboxes };
}

test('compare: a server that is the same differs in nothing, and what was made is removed', async () => {
  const { start, read, folder, sandbox, customers } = await prepare();
  const flags = ['--yes', '--junit', 'junit.xml'];
  const { code, stdout } = await start('customers,fees-and-splits,disputes,api', flags).ended;
  const { counts, differences, results, choices } = read();
  expect(differences).toEqual([]);
  expect([counts.differing, counts.notRun, code]).toEqual([0, 0, 0]);
  expect(results.length).toBeGreaterThan(60);
  expect(choices.every(({ verdict }: Json) => verdict === 'confirmed')).toBe(true);
  expect(stdout).toMatch(/^\d+ scenarios alike, 0 differ; comparison\/comparison\.html\n$/);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('failures="0"');
  const page = readFileSync(join(folder, 'comparison/comparison.html'), 'utf8');
  expect(page).toContain('scenarios alike');
  expect(page).not.toContain(sandbox.secretKey);
  expect(await customers()).toEqual([]);
});

test('compare: what needs more than a key is not tried, and is counted apart', async () => {
  const { start, read, folder } = await prepare();
  const flags = ['--yes', '--junit', 'junit.xml'];
  const { code, stdout, stderr } = await start('webhooks,payments/read-with-client-secret', flags).ended;
  expect(stdout).toMatch(/^\d+ scenarios alike, 0 differ, 1 not shown, 1 not tried \(1 needs --receiver\); /);
  expect(stderr).toContain('not tried  webhooks/delivery: it needs deliveries: run with --receiver');
  expect([code, read().counts.notTried]).toEqual([2, 1]);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('<skipped');
  const alone = await start('webhooks').ended;
  expect([alone.code, read().counts.notTried]).toEqual([0, 1]);
});

test('compare: deliveries and their signatures are compared at a receiver, and not shown without one', async () => {
  const { start, read } = await prepare();
  const without = await start('webhooks/delivery').ended;
  expect([without.code, read().results[0].notShown]).toEqual([2, 'it needs deliveries: run with --receiver']);
  const port = String(await freePort());
  const flags = ['--yes', '--receiver', `http://127.0.0.1:${port}`, '--receiver-port', port];
  const { code } = await start('webhooks/delivery', flags).ended;
  expect([read().differences, read().results[0].notShown, code]).toEqual([[], null, 0]);
});

test('compare: a delivery that is signed by another key differs', async () => {
  const { start, read, sandbox } = await prepare();
  const fault = {
    at: 'webhook.attempt',
    what: 'wrong-secret',
    when: { eventType: 'Customer.created', times: 1 },
  };
  const key = { authorization: sandbox.secretKey };
  await tapbench.api('POST', '/sandbox/faults', { title: 'signature', faults: [fault] }, key);
  const port = String(await freePort());
  const flags = ['--yes', '--receiver', `http://127.0.0.1:${port}`, '--receiver-port', port];
  const { code } = await start('webhooks/delivery', flags).ended;
  expect(read().differences).toMatchObject([
    { place: 'choice', example: { member: 'isSigned', here: 'true', there: 'false' } },
  ]);
  expect(code).toBe(0);
});

test.each<[Awkwardness, string]>([
  ['html', 'replied 200 with what is not JSON'],
  ['limited', 'replied 429 to 6 requests, with the pauses that it asked for'],
  ['breaks off', 'the connection failed'],
  ['closes', 'the connection failed'],
  ['slow', 'did not reply within 1 seconds'],
  ['redirects', 'replied 307, a redirect, which is not followed'],
])('compare: what a server that %s would say is not shown, with the reason', async (awkwardness, reason) => {
  const { start, read } = await prepare((asked) =>
    asked === 'POST /v1/customers' ? awkwardness : undefined,
  );
  const { code } = await start('customers/create', ['--yes', '--patience', '1']).ended;
  const { results, differences, counts } = read();
  expect(results[0].notShown).toContain(reason);
  expect([differences, counts.alike, code]).toEqual([[], 0, 2]);
});

test.each<[Awkwardness, RegExp]>([
  ['html', /the other server replied 200 with what is not JSON/],
  ['redirects', /the other server replied 307, a redirect, which is not followed/],
])('compare: nothing is made at a server that %s at first', async (awkwardness, reason) => {
  const { start, server, folder } = await prepare(() => awkwardness);
  const { code, stderr } = await start('customers/create').ended;
  expect([code, server.asked]).toEqual([2, ['GET /v1/customers']]);
  expect(stderr).toMatch(reason);
  expect(existsSync(join(folder, 'comparison'))).toBe(false);
});

test('compare: a key that is not of a sandbox, and one that is not known, make nothing', async () => {
  const { start, server } = await prepare();
  const live = await start('customers/create', ['--yes'], 'sk_live_1234567890').ended;
  expect([live.code, live.stderr]).toEqual([
    2,
    'tapbench: COMPARE_KEY is not the key of a sandbox, which begins with sk_sandbox_: with any other, money would move\n',
  ]);
  expect(server.asked).toEqual([]);
  const unknown = await start('customers/create', ['--yes'], 'sk_sandbox_unknown').ended;
  expect(unknown.stderr).toContain('the other server does not accept COMPARE_KEY (403)');
  expect([unknown.code, server.asked]).toEqual([2, ['GET /v1/customers']]);
});

test('compare: nothing is sent where nobody can be asked', async () => {
  const { start, server } = await prepare();
  const { code, stderr } = await start('customers/create', []).ended;
  expect([code, server.asked]).toEqual([2, []]);
  expect(stderr).toContain('nobody can be asked whether to go on: add --yes');
});

test('compare: after three scenarios without a reply the rest is counted as not run, and --resume goes on', async () => {
  let isAway = true;
  const { start, read } = await prepare((_, count) => (isAway && count > 1 ? 'closes' : undefined));
  const first = await start('customers').ended;
  expect([first.code, read().counts.alike]).toEqual([2, 0]);
  expect(first.stdout).toMatch(/^0 scenarios alike, 0 differ, \d not shown, \d+ not run; /);
  isAway = false;
  const second = await start('customers', ['--yes', '--resume']).ended;
  expect(second.stdout).toMatch(/^\d+ scenarios alike, 0 differ; /);
  expect(second.code).toBe(0);
  const other = await start('customers', ['--yes', '--resume', '--out', 'nowhere']).ended;
  expect([other.code, other.stderr]).toEqual([
    2,
    'tapbench: --resume: there is no nowhere/comparison.json\n',
  ]);
});

test('compare: Control-C removes what was made at both servers, and keeps what was found out', async () => {
  const { start, read, server, customers, ownSandboxes } = await prepare((asked) =>
    asked.startsWith('PATCH') ? 'slow' : undefined,
  );
  const child = start('customers/create,customers/update');
  await waitFor('a scenario to be under way', () => server.asked.some((one) => one.startsWith('PATCH')));
  await waitFor('it to wait for a reply', async () => (await customers()).length > 0);
  const { code } = await child.kill('SIGINT');
  expect(code).toBe(130);
  expect(read().results.length).toBeGreaterThan(0);
  expect(await customers()).toEqual([]);
  expect(await ownSandboxes()).toEqual([]);
});
