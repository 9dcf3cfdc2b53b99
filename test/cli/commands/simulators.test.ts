import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SCRIPTS } from '../../../simulator/cardholder.ts';
import { CARDHOLDER_OPTIONS } from '../../../cli/terminals/terminal-options.ts';
import { refusal, createCliFixture } from '../cli-fixture.ts';

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-agent-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'credentials.json');
  writeFileSync(path, content);
  return path;
}

test('CARDHOLDER_OPTIONS: offers every script of the simulator', () => {
  for (const script of Object.keys(SCRIPTS)) {
    expect(CARDHOLDER_OPTIONS.cardholder.parse(script)).toEqual({ value: script });
  }
});

test.each([
  [['agent', '--device', 'abacus'], '--device must be one of: pax-a920-pro, '],
  [['agent', '--credentials', '/nonexistent'], '--credentials /nonexistent cannot be read'],
  [
    ['agent', '--terminal', 'tml_1', '--card', 'library'],
    "--card: there is no card 'library'; the cards are: ",
  ],
  [
    ['agent', '--terminal', 'tml_1', '--cardholder', 'contact-pin', '--card', 'visa-swipe'],
    '--card: contact-pin needs a card with Contact',
  ],
  [['sim', '--terminals', '0'], "--terminals must be a whole number from 1 to 10000, not '0'"],
  [['sim', '--delay', 'slow'], '--delay must be a whole number from 0 to 600000'],
])('sim: %j exits with 1 and a reason', async (argv, words) => {
  const on = createCliFixture();
  expect(await on.run(...argv)).toBe(1);
  expect(on.err).toContain(`tapbench: ${words}`);
});

test('agent: rejects incomplete credentials without showing them', async () => {
  const path = file('{ "clientId": "tml_1", "password": "hunter2" }');
  const on = createCliFixture();
  expect(await on.run('agent', '--credentials', path)).toBe(1);
  expect(on.err).toContain(`--credentials ${path}: username is missing`);
  expect(on.err).not.toContain('hunter2');
});

test('agent: rejects credentials that are not JSON without showing them', async () => {
  const on = createCliFixture();
  expect(await on.run('agent', '--credentials', file('hunter2'))).toBe(1);
  expect(on.err).toContain('it is not JSON');
  expect(on.err).not.toContain('hunter2');
});

test('sim: exits with the message of the server when it refuses the fleet', async () => {
  const on = createCliFixture();
  on.answer('POST /sandbox/fleets', refusal(404, 'no such location'));
  expect(await on.run('sim', '--terminals', '3', '--location', 'iploc_9')).toBe(1);
  expect(on.requests[0]?.body).toEqual({ terminals: 3, locationId: 'iploc_9' });
  expect(on.err).toBe('tapbench: no such location (404)\n');
});
