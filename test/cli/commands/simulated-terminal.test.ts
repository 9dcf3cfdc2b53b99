import { expect, test } from 'vitest';
import { createCliFixture, refusal, terminal } from '../cli-fixture.ts';

const STATE = { id: 'tml_1', power: 'on', network: 'off', paperSheets: 20, screen: [] };

/** A server with one simulated terminal, at which something can be done. */
function serverWith(act: string) {
  const on = createCliFixture();
  const terminals = { items: [terminal(null)], paginationToken: null };
  on.answer('GET /v1/in-person/terminals', { status: 200, body: terminals });
  on.answer(`POST /sandbox/terminals/tml_1/${act}`, { status: 200, body: STATE });
  return on;
}

test.each([
  ['press-keys', ['1234,enter'], { keys: ['1', '2', '3', '4', 'enter'] }],
  ['press-keys', ['cancel'], { keys: ['cancel'] }],
  ['power', ['off'], { state: 'off' }],
  ['network', ['on'], { state: 'on' }],
  ['reader', ['unplugged'], { state: 'unplugged' }],
  ['paper', ['0'], { sheets: 0 }],
  ['remove-card', [], undefined],
  ['control', ['fault=lost'], { control: 'fault', argument: 'lost' }],
  ['control', ['stop'], { control: 'stop' }],
  ['cardholder', ['none'], { script: 'none' }],
  [
    'cardholder',
    ['tap', '--card', 'amex-contactless', '--delay', '50'],
    { script: 'tap', card: 'amex-contactless', delayMs: 50 },
  ],
])('%s %j: does it at the only terminal, and prints the state of the terminal', async (act, words, body) => {
  const on = serverWith(act);
  expect(await on.run(act, ...words)).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual(body);
  expect(on.out).toBe('tml_1  power on  network off  20 sheets\n');
});

test('control: prints what the control has to say', async () => {
  const on = serverWith('control');
  const body = { ...STATE, answer: 'Receipt 1\nTotal 17.42' };
  on.answer('POST /sandbox/terminals/tml_1/control', { status: 200, body });
  expect(await on.run('control', 'receipts')).toBe(0);
  expect(on.out).toBe('Receipt 1\nTotal 17.42\n');
});

test('power: names the terminal by its serial number, and prints JSON', async () => {
  const on = serverWith('power');
  expect(await on.run('power', 'SIM-0001', 'off', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(STATE);
});

test.each([
  ['press-keys', '12,hash', 'KEYS must be one of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, enter, clear, cancel'],
  ['power', 'up', "STATE must be one of: on, off, not 'up'"],
  ['network', 'maybe', "STATE must be one of: on, off, not 'maybe'"],
  ['paper', 'much', "SHEETS must be a whole number, not 'much'"],
  ['cardholder', 'dance', 'SCRIPT must be one of: tap, contact-pin, '],
])('%s %s: is refused before any call', async (act, word, message) => {
  const on = serverWith(act);
  expect(await on.run(act, word)).toBe(1);
  expect(on.err).toContain(`tapbench: ${message}`);
  expect(on.requests).toEqual([]);
});

test('press-keys: a refusal of the server is printed', async () => {
  const on = serverWith('press-keys');
  on.answer('POST /sandbox/terminals/tml_1/press-keys', refusal(400, 'no action is under way'));
  expect(await on.run('press-keys', 'enter')).toBe(1);
  expect([on.out, on.err]).toEqual(['', 'tapbench: no action is under way (400)\n']);
});
