import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, type Api } from '../../examples/api.js';
import { run as disputes } from '../../examples/disputes.js';
import { run as inPerson } from '../../examples/in-person.js';
import { run as marketplace } from '../../examples/marketplace.js';
import { run as onlinePayment } from '../../examples/online-payment.js';
import { run as splits } from '../../examples/splits.js';
import { run as subscriptionYear } from '../../examples/subscription-year.js';
import { ledgerProblems } from '../kit/ledger.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
let api: Api;
let said: string[];

beforeEach(async () => {
  world = await startWorld();
  const { services } = world.server;
  const { url } = await world.server.listen({ host: '127.0.0.1', port: 0 });
  // Where it is reached is known only now.
  services.settings.publicUrl = url;
  said = [];
  const { secretKey, publicKey } = services.settings;
  api = connect({ url, secretKey, publicKey, say: (line) => said.push(line) });
  // As `tapbench up` does, whoever registers a simulated terminal finds it played.
  services.activities.listen('test', (activity) => {
    if (activity.kind === 'terminal.registered') void world.fleet.add({ terminalId: activity.terminalId });
  });
});
afterEach(async () => {
  const { store } = world.server.services;
  const problems = await ledgerProblems(world);
  const sums = await store.all<{ minor: number }>(
    `SELECT SUM(amount_minor) AS minor FROM postings GROUP BY currency`,
  );
  await world.close();
  expect(problems).toEqual([]);
  expect(sums.length).toBeGreaterThan(0);
  expect(sums.every(({ minor }) => minor === 0)).toBe(true);
});

test('example: an online payment with 3DS', async () => {
  await onlinePayment(api);
  expect(said.at(-1)).toContain('250 pence refunded');
});

test('example: a marketplace, from onboarding to payout', async () => {
  await marketplace(api);
  expect(said.at(-1)).toContain('payout of');
}, 60_000);

test('example: a subscription over a year, after which the ledger adds up', async () => {
  await subscriptionYear(api);
  expect(said).toContain('paused for a month and resumed');
  expect(said.at(-1)).toContain('after a year');
}, 60_000);

test('example: disputes, lost and won', async () => {
  await disputes(api);
  expect(said).toHaveLength(2);
});

test('example: captures in parts, with splits and refunds', async () => {
  await splits(api);
  expect(said).toHaveLength(2);
});

test('example: a payment in person with a platform fee', async () => {
  await inPerson(api);
  expect(said.at(-1)).toContain('for the platform');
});

const EXAMPLES = join(import.meta.dirname, '../../examples');

test('example: one runs as a program on the oldest Node that is supported, with its keys from the environment', async () => {
  const { publicUrl, secretKey, publicKey } = world.server.services.settings;
  const env = { TAPBENCH_URL: publicUrl, SECRET_KEY: secretKey, PUBLIC_KEY: publicKey };
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, 'online-payment.js')], {
    env,
  });
  expect(stdout).toMatch(/captured\n250 pence refunded\n$/);
  // Node 20 runs JavaScript alone.
  expect(readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'))).toEqual([]);
});
