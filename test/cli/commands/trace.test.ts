import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { traceFile } from '../../../server/traces/trace-file.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { createCliFixture } from '../cli-fixture.ts';

function fileOf(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'session.tapbench');
  writeFileSync(file, bytes);
  return file;
}

async function recordedPayment(): Promise<string> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const till = openTill(world, await world.addTerminal());
  const recording = await world.server.services.recordings!.startUnlisted('one payment');
  await till.takes(1742);
  return fileOf(await traceFile(await recording.stop()));
}

test('trace: prints a line for each request, reply, act, message, step and event', async () => {
  const on = createCliFixture();
  expect([await on.run('trace', await recordedPayment()), on.err]).toEqual([0, '']);
  expect(on.out).toMatch(/^one payment: sandbox default, from 2026-01-05T09:00:00.000Z, Tapbench /);
  expect(on.out).toMatch(/ {2}call {6}POST \/v1\/in-person\/terminals\/tml_\w+\/payment\n/);
  expect(on.out).toMatch(/ {2}reply {5}200 to POST \/v1\/in-person/);
  expect(on.out).toMatch(/ {2}act {7}present-card visa-contactless at tml_/);
  expect(on.out).toContain('output    step  approved.completing → succeeded');
  expect(on.requests).toEqual([]);
});

test('trace: prints what a hunt found, after what happened', async () => {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const recording = await world.server.services.recordings!.startUnlisted('a hunt');
  const trace = await recording.stop();
  trace.summary.found = { verdict: 'charged 2 times', story: ['1.0 s  money', 'order-1: 34.84 GBP taken'] };
  const on = createCliFixture();
  expect(await on.run('trace', fileOf(await traceFile(trace)))).toBe(0);
  expect(on.out).toMatch(/\na hunt found: charged 2 times\n1\.0 s {2}money\norder-1: 34\.84 GBP taken\n$/);
});

test('trace: prints the items as lines of JSON', async () => {
  const on = createCliFixture();
  await on.run('trace', await recordedPayment(), '--json');
  const items = on.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(items[0]).toMatchObject({ kind: 'call', method: 'POST', body: { json: { currency: 'GBP' } } });
});

test('trace: writes the viewer to a file, and opens it in the browser', async () => {
  const on = createCliFixture();
  const file = await recordedPayment();
  const page = `${file}.html`;
  expect([await on.run('trace', file, '--html', page), on.err]).toEqual([0, '']);
  expect(on.out).toBe(`${page}\n`);
  expect(readFileSync(page, 'utf8')).toContain('<title>one payment</title>');
  expect(on.opened).toEqual([]);

  expect(await on.run('trace', file, '--html', page, '--open')).toBe(0);
  expect(on.opened).toEqual([pathToFileURL(page).href]);
  expect(await on.run('trace', file, '--html', '/no/such/folder/page.html')).toBe(1);
  expect(on.err).toContain('/no/such/folder/page.html: ENOENT');
});

test('trace: refuses a file that is not there or is no trace', async () => {
  const on = createCliFixture();
  expect(await on.run('trace', '/no/such/file')).toBe(1);
  expect(on.err).toContain('/no/such/file: ENOENT');
  expect(await on.run('trace', fileOf(Buffer.from('text')))).toBe(1);
  expect(on.err).toContain('the file is not a trace of Tapbench');
});
