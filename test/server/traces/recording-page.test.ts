import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TraceContent } from '../../../server/dashboard/page/trace/trace-content.ts';
import { layOut } from '../../../server/dashboard/chart/layout.ts';
import { renderTracePage } from '../../../server/traces/trace-page.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

const contentOf = (html: string) =>
  JSON.parse(
    gunzipSync(Buffer.from(/id="trace">([^<]+)</.exec(html)![1]!, 'base64')).toString(),
  ) as TraceContent;

test('GET /dashboard/recordings/{id}: returns what was recorded so far as a page to save, without secrets, and goes on', async () => {
  const till = openTill(world, await world.addTerminal());
  const { id } = (await world.api.post('/sandbox/recordings', { title: 'A <webhook>' })).body;
  const { secret } = await world.listen('shop', ['PaymentSession.captured']);
  const answer = await world.api.get(`/dashboard/recordings/${id}`);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="default-${id}.html"`,
    'x-content-type-options': 'nosniff',
  });
  const content = contentOf(answer.body);
  expect(content).toMatchObject({ title: 'A <webhook>', isCut: false });
  expect(content.terminals).toMatchObject([{ id: till.terminal.terminalId }]);
  expect(JSON.stringify(content)).not.toContain(secret);
  await till.takes(1742);
  expect((await world.api.get('/sandbox/recordings')).body.items).toMatchObject([{ status: 'Recording' }]);
  const later = contentOf((await world.api.get(`/dashboard/recordings/${id}`)).body);
  expect(later.entries.length).toBeGreaterThan(content.entries.length);
});

test('GET /dashboard/recordings/{id}: refuses a recording that is not there, and a caller without a key', async () => {
  expect(await world.api.get('/dashboard/recordings/rec_7')).toMatchObject({ status: 404 });
  const { id } = (await world.api.post('/sandbox/recordings', {})).body;
  expect(await world.api.withKey('sk_sandbox_wrong').get(`/dashboard/recordings/${id}`)).toMatchObject({
    status: 403,
  });
});

test('trace page: with a limit it has the first items, and is marked as incomplete', async () => {
  const recording = await world.server.services.recordings!.startUnlisted('');
  for (let count = 0; count < 3; count += 1)
    await world.api.post('/v1/customers', { email: `ana${count}@corner.example` });
  const trace = await recording.stop();
  const first = trace.items.slice(0, 2);
  const characters = first.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
  const whole = contentOf(await renderTracePage(trace, layOut));
  const part = contentOf(await renderTracePage(trace, layOut, characters));
  expect([whole.isCut, part.isCut]).toEqual([false, true]);
  expect(part.entries.length).toBeGreaterThan(0);
  expect(part.entries.length).toBeLessThan(whole.entries.length);
});

test('trace page: leaves out the chart of a machine that cannot be drawn, as a terminal may describe any', async () => {
  const till = openTill(world, await world.addTerminal());
  const recording = await world.server.services.recordings!.startUnlisted('');
  await till.takes(1742);
  const trace = await recording.stop();
  const broken = trace.machines.map((machine) =>
    machine.machineId === 'action' ? { ...machine, definition: 'none' } : machine,
  );
  const { machines } = contentOf(await renderTracePage({ ...trace, machines: broken }, layOut));
  expect(machines.map(({ shape }) => shape.machineId)).toEqual(['serverAction', 'paymentSession']);
});

test('POST /dashboard/traces: returns the page of a trace file, and refuses what is none with the field', async () => {
  const recording = await world.server.services.recordings!.startUnlisted('Of a colleague');
  await world.api.post('/v1/customers', { email: 'ana@corner.example' });
  const file = (await recording.file()).toString('base64');
  const { status, body } = await world.api.post('/dashboard/traces', { file });
  expect(status).toBe(200);
  const content = contentOf(body.page);
  expect(content.title).toBe('Of a colleague');
  expect(content.entries[0]).toMatchObject({ title: 'POST /customers 200' });

  const bomb = gzipSync(`{"format":"tapbench-trace"${' '.repeat(70 * 1024 * 1024)}}\n`).toString('base64');
  const refused: [unknown, number, string][] = [
    [{ file: 'bm8=' }, 400, 'file cannot be shown: the file is not a trace of Tapbench'],
    [{ file: file.slice(0, -40) }, 400, 'file cannot be shown: the trace is damaged: its end is missing'],
    [
      { file: bomb },
      400,
      'file cannot be shown: the trace is damaged: it is compressed to less than 1/50 of its size',
    ],
    [{ file: 7 }, 400, 'file is required'],
    [{}, 400, 'file is required'],
    [{ file: 'A'.repeat(1024 * 1024) }, 413, expect.any(String)],
  ];
  for (const [given, code, message] of refused)
    expect(await world.api.post('/dashboard/traces', given)).toMatchObject({
      status: code,
      body: { errors: [{ message }] },
    });
  expect(await world.api.withKey('sk_sandbox_wrong').post('/dashboard/traces', { file })).toMatchObject({
    status: 403,
  });
});
