import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSeedFile } from '../../../cli/server/seed.ts';

function seedFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'seed.json');
  writeFileSync(path, text);
  return path;
}

const address = { lineOne: '12 High Street', city: 'York', country: 'GB', postalCode: 'YO1 7AB' };

test('readSeedFile: reads examples/seed.json', () => {
  const seed = readSeedFile('examples/seed.json');
  expect(seed.terminals?.map(({ serialNumber }) => serialNumber)).toContain('SIM-TILL-1');
});

test.each([
  [{}, 'version is required'],
  [{ version: 2 }, 'version '],
  [{ version: 1, terminal: [] }, 'terminal is not a known field'],
  [{ version: 1, locations: [{ name: 'Shop', address }] }, 'locations.0.name '],
  [
    { version: 1, locations: [{ name: 'High Street', address: { ...address, city: 7 } }] },
    'locations.0.address.city ',
  ],
  [{ version: 1, terminals: [{ serialNumber: 'SIM-0001' }] }, 'terminals.0.location is required'],
  [{ version: 1, terminals: [{ serialNumber: 'x', location: 'High Street' }] }, 'terminals.0.serialNumber '],
  [
    { version: 1, webhooks: [{ url: 'http://a', eventTypes: ['Foo.bar'] }] },
    'webhooks.0.eventTypes.0 must be one of',
  ],
  [{ version: 1, accounts: [{ name: '' }] }, 'accounts.0.name '],
])('readSeedFile: throws for %j with the path in the file', (seed, place) => {
  const path = seedFile(JSON.stringify(seed));
  expect(() => readSeedFile(path)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
  expect(() => readSeedFile(path)).toThrow(`--seed ${path}: ${place}`);
});

test('readSeedFile: names a file that is missing or not JSON', () => {
  expect(() => readSeedFile('/nonexistent.json')).toThrow('--seed /nonexistent.json cannot be read');
  const path = seedFile('{ version');
  expect(() => readSeedFile(path)).toThrow(`--seed ${path} is not JSON`);
});
