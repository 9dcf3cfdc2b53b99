import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { traceFile } from '../../../server/traces/trace-file.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { createCliFixture } from '../cli-fixture.ts';

async function recordedPayment(): Promise<Trace> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const till = openTill(world, await world.addTerminal());
  await world.advance({ seconds: 1 });
  const recording = await world.server.services.recordings!.startUnlisted('one payment');
  await till.takes(1742);
  return recording.stop();
}

async function fileOf(trace: Trace): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-replay-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'session.tapbench');
  writeFileSync(file, await traceFile(trace));
  return file;
}

/** Changes the amount that the recording captured. */
function withOtherAmount(trace: Trace): Trace {
  for (const item of trace.items) {
    if (item.kind !== 'output' || item.entry.title !== 'PaymentSession.captured') continue;
    if (item.entry.kind === 'event') (item.entry.detail as { data: { amount: number } }).data.amount = 1743;
  }
  return trace;
}

test('replay: prints identical, and returns 0', async () => {
  const on = createCliFixture();
  const file = await fileOf(await recordedPayment());
  expect([await on.run('replay', file), on.err]).toEqual([0, '']);
  expect(on.out).toMatch(/^identical: \d+ replies, messages, steps, events and webhooks\n$/);
  expect(on.requests).toEqual([]);
});

test('replay: names the first difference with both sides, and returns 1', async () => {
  const on = createCliFixture();
  const file = await fileOf(withOtherAmount(await recordedPayment()));
  expect([await on.run('replay', file), on.err]).toEqual([1, '']);
  expect(on.out).toMatch(
    /^differs at .*, after \d+ that are identical: the event PaymentSession.captured \(ps_/,
  );
  expect(on.out).toContain('  at        detail.data.amount\n  recorded  1743\n  replayed  1742\n');
});

test('replay: prints the difference as JSON', async () => {
  const on = createCliFixture();
  const file = await fileOf(withOtherAmount(await recordedPayment()));
  expect(await on.run('replay', file, '--json')).toBe(1);
  expect(JSON.parse(on.out)).toMatchObject({
    outcome: 'diverged',
    divergence: { path: 'detail.data.amount', recorded: 1743, replayed: 1742 },
  });
});

test('replay: says why a file cannot be replayed', async () => {
  const on = createCliFixture();
  const trace = await recordedPayment();
  trace.summary.notReplayable.push('the terminal tml_1 is not simulated: its messages cannot be sent again');
  expect(await on.run('replay', await fileOf(trace))).toBe(1);
  expect(on.err).toContain('cannot be replayed: the terminal tml_1 is not simulated');
  expect(await on.run('replay', '/no/such/file')).toBe(1);
  expect(on.err).toContain('/no/such/file: ENOENT');
});
