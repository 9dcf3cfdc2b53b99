import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layOut } from '../../../server/dashboard/chart/layout.ts';
import type { TraceContent } from '../../../server/dashboard/page/trace/trace-content.ts';
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

test('trace page: is one file that requests nothing, with charts, and what was there before it began', async () => {
  const till = openTill(world, await world.addTerminal());
  await till.pay(1742);
  await till.reaches('awaitingCard');
  const recording = await world.server.services.recordings!.startUnlisted('A <card>');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  await world.listen('shop', ['PaymentSession.captured']);
  const html = await renderTracePage(await recording.stop(), layOut);

  expect(html).toContain('<title>A &lt;card&gt;</title>');
  expect(html).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; .*connect-src 'none'/);
  const { machines, terminals, actions, entries } = contentOf(html);
  expect(machines.map(({ shape }) => shape.machineId)).toEqual(['action', 'serverAction', 'paymentSession']);
  expect(terminals).toMatchObject([{ id: till.terminal.terminalId, serialNumber: 'SIM-1000' }]);
  expect(actions).toMatchObject([
    { amountMinor: 1742, currency: 'GBP', terminalId: till.terminal.terminalId },
  ]);
  expect(entries[0]).toMatchObject({ title: 'present-card visa-contactless' });
});

test('trace page: has placeholders for secrets, as the file', async () => {
  const recording = await world.server.services.recordings!.startUnlisted('');
  const { secret } = await world.listen('shop', ['PaymentSession.captured']);
  const content = contentOf(await renderTracePage(await recording.stop(), layOut));
  expect(JSON.stringify(content)).not.toContain(secret);
  expect(content.entries[0]).toMatchObject({
    detail: { response: { body: { secret: expect.stringMatching(/^\{\{secret:\d+\}\}$/) } } },
  });
});

test('trace page: has what a hunt found, and null without a hunt', async () => {
  const recording = await world.server.services.recordings!.startUnlisted('');
  const trace = await recording.stop();
  expect(contentOf(await renderTracePage(trace, layOut)).found).toBeNull();
  const found = { verdict: 'the order order-1 was charged 2 times', story: ['order-1: 34.84 GBP taken'] };
  trace.summary.found = found;
  expect(contentOf(await renderTracePage(trace, layOut)).found).toEqual(found);
});
