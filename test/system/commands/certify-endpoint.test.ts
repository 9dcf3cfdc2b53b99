import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../cli/drills/stage.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startWebhookShop, type ReceiverDefect } from '../kit/webhook-shop.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench({ args: ['--ephemeral'], env: { RATE_LIMIT: 'off' } });
});

/** Runs the command against a shop with a defect, in a sandbox of its own. */
async function certify(defect: ReceiverDefect | undefined, ...flags: string[]) {
  const shop = await startWebhookShop(defect);
  const folder = fixture.folder();
  const { url, secretKey } = tapbench;
  const call = async (path: string, key: string, body: object): Promise<Json> => {
    const headers = { authorization: key, 'content-type': 'application/json' };
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const sandbox = await call('/sandboxes', secretKey, {});
  const eventTypes = ['PaymentSession.approved', 'PaymentSession.captured'];
  const { secret } = await call('/v1/webhooks', sandbox.secretKey, {
    url: shop.url,
    active: true,
    eventTypes,
  });
  shop.know(secret);
  const start = (...more: string[]) =>
    fixture.command(['certify', 'endpoint', shop.url, ...more], {
      cwd: folder,
      env: { TAPBENCH_URL: url, SECRET_KEY: sandbox.secretKey },
    });
  const run = (...more: string[]) => start(...more).ended;
  const listOf = async (path: string): Promise<Json[]> => {
    const reply = await fetch(url + path, { headers: { authorization: sandbox.secretKey } });
    const { items }: Json = await reply.json();
    return items;
  };
  const { code, stdout, stderr } = await run(
    ...flags.map((flag) => flag.replace('BOOKS', shop.books)),
    '--json',
  );
  const file = join(folder, 'certificate', 'certificate.json');
  const certificate = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const withVerdict = (verdict: string): string[] =>
    certificate.results
      .filter((result: { verdict: string }) => result.verdict === verdict)
      .map(({ id }: { id: string }) => id.replace('endpoint.', ''));
  return { code, stdout, stderr, folder, file, certificate, withVerdict, start, run, listOf, shop, secret };
}

test('certify endpoint: a right endpoint keeps all rules, on a page, with a trace for each', async () => {
  const { code, stderr, certificate, withVerdict, folder, shop, secret } = await certify(
    undefined,
    '--books',
    'BOOKS',
    '--junit',
    'junit.xml',
  );
  await shop.close();
  expect([withVerdict('failed'), withVerdict('not shown'), code, stderr]).toEqual([[], [], 0, '']);
  expect(certificate.results).toHaveLength(18);
  for (const { trace } of certificate.results)
    expect(existsSync(join(folder, 'certificate', trace))).toBe(true);
  const page = readFileSync(join(folder, 'certificate', 'certificate.html'), 'utf8');
  expect(page).toContain('18 passed');
  expect(page).not.toContain(secret);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('tests="18" failures="0"');
});

test.concurrent.each<[ReceiverDefect, string[]]>([
  ['no signature check', ['unsigned', 'wrong-secret', 'altered-body']],
  ['comparison of another body', ['raw-body']],
  ['not idempotent', ['twice', 'twice-at-once']],
  ['not idempotent at the same moment', ['twice-at-once']],
  ['order by arrival', ['beside', 'out-of-order']],
  ['slow', ['in-time']],
  ['follows nothing', ['books']],
  ['3xx', ['acknowledges']],
  ['500 then right', ['first-attempt']],
  ['acknowledges before it stores', ['stores-first']],
  ['chokes on an unknown type', ['unknown-type']],
  ['chokes on a large body', ['large-body']],
])('certify endpoint: names what is wrong with one that has %s', async (defect, broken) => {
  const { code, withVerdict, certificate, shop } = await certify(defect, '--books', 'BOOKS');
  await shop.close();
  expect(
    [withVerdict('failed'), code],
    certificate?.results.map((one: { id: string; reason: string }) => `${one.id} ${one.reason}`).join('\n'),
  ).toEqual([broken, 1]);
});

test('certify endpoint: without books it says what it could not show, and is not green', async () => {
  const { code, withVerdict, shop } = await certify(undefined, '--only', 'endpoint.twice');
  await shop.close();
  expect([withVerdict('passed'), withVerdict('not shown'), code]).toEqual([
    ['in-time', 'acknowledges', 'first-attempt'],
    ['books', 'twice'],
    2,
  ]);
});

test('certify endpoint: goes on with a certificate that was broken off, and two runs have one digest', async () => {
  const first = await certify(undefined, '--books', 'BOOKS', '--only', 'endpoint.unsigned');
  const { certificate, file, run, shop } = first;
  expect(first.code).toBe(0);
  // As a stop in the middle leaves it.
  writeFileSync(file, JSON.stringify({ ...certificate, results: certificate.results.slice(0, 2) }));
  const again = await run('--books', shop.books, '--only', 'endpoint.unsigned', '--resume');
  expect(again.stdout).toContain('endpoint.unsigned');
  expect(again.stdout).not.toContain('endpoint.in-time');
  const resumed = JSON.parse(readFileSync(file, 'utf8'));
  expect([resumed.digest, resumed.results.length]).toEqual([certificate.digest, 4]);
  const other = await run('--books', shop.books, '--seed', '2', '--resume');
  await shop.close();
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('is of another seed')]);
});

test.each<[NodeJS.Signals, number]>([
  ['SIGKILL', 1],
  ['SIGINT', 0],
])('certify endpoint: goes on after %s, without what that left in the sandbox', async (signal, left) => {
  const { start, run, listOf, file, shop } = await certify(undefined, '--only', 'endpoint.in-time');
  const books = ['--books', shop.books];
  const whole = start(...books, '--quiet', '3');
  await whole.prints(/endpoint\.books:/);
  // In the middle of the next case.
  await waitFor('its recording', async () =>
    (await listOf('/sandbox/recordings'))[0]?.title.includes('stores-first'),
  );
  const { code } = await whole.kill(signal);
  expect(code).toBe(signal === 'SIGINT' ? 130 : null);
  expect(await listOf('/sandbox/recordings')).toHaveLength(left);
  const again = await run(...books, '--only', 'endpoint.unsigned', '--resume');
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringMatching(/^passed +endpoint\.unsigned: .*\n5 passed, 13 not tried; /),
  ]);
  const { cases, results } = JSON.parse(readFileSync(file, 'utf8'));
  expect([cases, results.map(({ id }: Json) => id)]).toEqual([
    18,
    ['in-time', 'acknowledges', 'first-attempt', 'books', 'unsigned'].map((id) => `endpoint.${id}`),
  ]);
  expect([await listOf('/sandbox/recordings'), await listOf('/sandbox/faults')]).toEqual([[], []]);
  await shop.close();
});

test('certify endpoint: refuses a URL that is not registered, a case that does not exist, and what does not listen', async () => {
  const { run, shop } = await certify(undefined, '--only', 'endpoint.in-time');
  const unknown = await run('--only', 'endpoint.typo');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('endpoint.typo')]);
  await shop.close();
  const gone = await run('--only', 'endpoint.in-time');
  expect([gone.code, gone.stdout]).toEqual([2, expect.stringContaining('cannot be reached')]);
});
