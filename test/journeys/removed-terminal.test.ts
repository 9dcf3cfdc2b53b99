import { expect, onTestFinished, test } from 'vitest';
import { startWorld, type World } from '../../testing/world/world.ts';

async function shop(): Promise<World> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  return world;
}

test("DELETE /in-person/terminals/{id}: cuts that terminal's connection at once, and no other", async () => {
  const world = await shop();
  const [till, kiosk] = [await world.addTerminal(), await world.addTerminal()];
  expect((await world.api.delete(`/v1/in-person/terminals/${till.terminalId}`)).status).toBe(200);
  await world.until('the terminal is cut off', () => !till.online);
  expect(kiosk.online).toBe(true);
  await world.advance({ minutes: 5 });
  expect(till.online).toBe(false);
  expect(kiosk.online).toBe(true);
});

test('POST /sandbox/reset: cuts the connection of every terminal at once', async () => {
  const world = await shop();
  const terminals = [await world.addTerminal(), await world.addTerminal()];
  expect((await world.api.post('/sandbox/reset')).status).toBe(200);
  await world.until('every terminal is cut off', () => terminals.every(({ online }) => !online));
  await world.advance({ minutes: 5 });
  expect(terminals.map(({ online }) => online)).toEqual([false, false]);
});

test('pairing: pairing a terminal again cuts the connection with the old credentials', async () => {
  const world = await shop();
  const [till, kiosk] = [await world.addTerminal(), await world.addTerminal()];
  expect((await world.api.post(`/pairing/terminals/${till.terminalId}`)).status).toBe(200);
  await world.until('the terminal is cut off', () => !till.online);
  await world.advance({ minutes: 5 });
  expect(till.online).toBe(false);
  expect(kiosk.online).toBe(true);
});
