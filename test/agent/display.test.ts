import { expect, test } from 'vitest';
import { createDisplay } from '../../agent/display.ts';
import type { Envelope } from '../../protocol/message.ts';
import { TERMINAL_ID } from './agent-fixture.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A display, what it shows, and what was told of it. */
function fixture() {
  const shown = { lines: ['Ready'], online: true };
  const told: string[][] = [];
  const screens: string[][] = [];
  const display = createDisplay({
    terminalId: TERMINAL_ID,
    look: () => shown.lines,
    actionId: () => undefined,
    isOnline: () => shown.online,
    publish: ({ payload }: Envelope) =>
      void told.push((JSON.parse(payload.toString()) as { lines: string[] }).lines),
    onScreen: (lines) => void screens.push(lines),
  });
  const shows = (...lines: string[]) => {
    shown.lines = lines;
    display.show();
  };
  return { shown, told, screens, display, shows };
}

test('display: publishes only the last text of one turn', async () => {
  const { told, screens, shows } = fixture();
  for (const line of ['Present card', 'Reading card', 'Authorising']) shows(line);
  await turn();
  expect(told).toEqual([['Authorising']]);
  expect(screens).toEqual([['Present card'], ['Reading card'], ['Authorising']]);
});

test('display: publishes an unchanged text once for each connection', async () => {
  const { told, display, shows } = fixture();
  shows('Present card');
  await turn();
  shows('Authorising');
  shows('Present card');
  await turn();
  expect(told).toEqual([['Present card']]);
  display.connected();
  await turn();
  expect(told).toEqual([['Present card'], ['Present card']]);
});

test('display: publishes nothing offline, and the current text after connecting', async () => {
  const { told, shown, display, shows } = fixture();
  shown.online = false;
  shows('Present card');
  await turn();
  expect(told).toEqual([]);
  shown.online = true;
  display.connected();
  await turn();
  expect(told).toEqual([['Present card']]);
});
