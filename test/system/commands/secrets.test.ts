import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARD_NAMES } from '../../../simulator/cards/card-registry.ts';
import { call, type Json } from '../kit/http-call.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { Ended } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const PROFILES = join(import.meta.dirname, '../../../simulator/cards/profiles');
// Those that are for chip readers alone no simulated terminal can be given.
const CARDS = CARD_NAMES.map((name) => ({
  name,
  pan: JSON.parse(readFileSync(join(PROFILES, `${name}.json`), 'utf8')).pan as string,
}));

/** Everything that must not be seen, by what it is. */
const secrets: Record<string, string[]> = {
  'card number': [...new Set(CARDS.map(({ pan }) => pan))],
  'client secret': [],
  'webhook secret': [],
  'MQTT password': [],
  'terminal key': [],
};
let ended: Ended;
let folder: string;
let shown: string;
const outcomes: Record<string, string> = {};

/** A server that logs all it can takes a payment by each card, a refund, webhooks and pairings. */
beforeAll(async () => {
  folder = fixture.folder();
  const env = { PORT: '0', MQTT_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'trace', RATE_LIMIT: 'off' };
  const up = fixture.command(['up'], { env });
  const [, url] = (await up.prints(/API +(\S+)\/v1/)) as unknown as [string, string];
  const [, terminalId] = (await up.prints(/Terminal +(\S+)/)) as unknown as [string, string];
  await up.prints(/Events:/);
  const keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Record<string, string>;
  for (const [name, key] of Object.entries(keys)) secrets[name] = [key];

  const api = async (method: string, path: string, body: object = {}): Promise<Json> => {
    const headers = { authorization: keys['secretKey']! };
    return (await call({ method, url: url + path, headers, body: JSON.stringify(body) })).body;
  };
  const till = `/v1/in-person/terminals/${terminalId}`;
  const sandbox = `/sandbox/terminals/${terminalId}`;
  const receiver = await fixture.receiver();
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.captured', 'PaymentSession.declined'];
  const webhook = { url: `${receiver.url}?token=hunter2`, active: true, eventTypes };
  secrets['webhook secret']!.push((await api('POST', '/v1/webhooks', webhook)).secret, 'token=hunter2');
  const pairing = await api('POST', '/pairing/simulators');
  secrets['MQTT password']!.push(pairing.password);
  const { location } = await api('GET', till);
  const registration = { serialNumber: '1853012345', locationId: location.id };
  const other = await api('POST', '/v1/in-person/terminals', registration);
  const paired = await api('POST', `/pairing/terminals/${other.id}`);
  secrets['MQTT password']!.push(paired.password);
  secrets['terminal key']!.push(paired.keys.initialKey);

  await api('POST', `${sandbox}/cardholder`, { script: 'none' });
  const amounts = { requested: 12_000 };
  for (const { name } of CARDS) {
    const { action } = await api('POST', `${till}/payment`, { amounts, currency: 'GBP' });
    const session = await api('GET', `/v1/payment-sessions/${action.transaction.paymentSessionId}`);
    secrets['client secret']!.push(session.clientSecret);
    await waitFor(`${name} to be done with`, async () => {
      const { status, phase } = await api('GET', `/sandbox/actions/${action.id}`);
      if (phase === 'awaitingCard') {
        // The reader may not ask for a card yet, or for a PIN any more, or once again for either.
        await api('POST', `${sandbox}/present-card`, { card: name });
        await api('POST', `${sandbox}/press-keys`, { keys: ['1', '2', '3', '4', 'enter'] });
      }
      return status !== 'InProgress';
    });
    await api('POST', `${sandbox}/remove-card`);
    outcomes[name] = (await api('GET', till)).action.error?.code ?? 'Succeeded';
    await api('GET', `/v1/payment-sessions/${session.id}?clientSecret=${session.clientSecret}`);
  }
  const opened = await call({
    method: 'POST',
    url: `${url}/dashboard/session`,
    body: JSON.stringify({ key: keys['secretKey'] }),
  });
  const token = { authorization: opened.body.token as string };
  await call({ method: 'GET', url: `${url}/dashboard/webhooks`, headers: token });
  await call({ method: 'GET', url: `${url}/v1/customers`, headers: token });
  const { items } = await api('GET', '/v1/events?limit=50');
  const actionId = (await api('GET', till)).action.id;
  const receipt = await api('GET', `/sandbox/actions/${actionId}/receipt`);
  const webhooks = receiver.deliveries.map(({ bytes }) => bytes.toString());
  shown = JSON.stringify([items, receipt, webhooks]);
  ended = await up.kill('SIGINT');
});

/** Which of the secrets a text holds, by what they are. */
function leaks(text: string, kinds = Object.keys(secrets)): string[] {
  return kinds.filter((kind) => secrets[kind]!.some((secret) => text.includes(secret)));
}

test('secrets: the test run has secrets of all kinds, and completed card payments', () => {
  expect(Object.entries(secrets).filter(([, each]) => each.length === 0 || each.includes(''))).toEqual([]);
  expect(shown).toContain('PaymentSession.captured');
  expect(ended.stderr).toContain('"level":20');
  expect(outcomes).toMatchObject({
    'visa-contact-pin': 'Succeeded',
    'visa-blocked-pin': 'security_violation',
    'visa-expired': 'expired_card',
    'visa-unreadable': 'bad_track_data',
  });
});

test('secrets: standard output has the two keys and the dashboard token, once each', () => {
  const lines = ended.stdout.split('\n');
  const told = lines.filter((line) => leaks(line, ['secretKey', 'publicKey', 'dashboardToken']).length > 0);
  expect(told.map((line) => line.trim().split(' ')[0])).toEqual([
    'Dashboard',
    'Secret',
    'Public',
    'curl',
    'curl',
  ]);
  const rest = lines.filter((line) => !told.includes(line)).join('\n');
  expect(leaks(rest)).toEqual([]);
});

test('secrets: the log has none, even at its most detailed level', () => {
  expect(leaks(ended.stderr)).toEqual([]);
});

test('secrets: events, webhooks and receipts of a payment have none', () => {
  expect(leaks(shown)).toEqual([]);
});

test('secrets: in the data folder keys are in keys.json only, and card numbers nowhere', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, path: join(folder, name) }))
    .filter(({ path }) => statSync(path).isFile());
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['keys.json', 'store.db']));
  for (const { name, path } of files) {
    const holds = leaks(readFileSync(path, 'latin1'));
    const may = {
      'keys.json': ['secretKey', 'publicKey', 'pairingSecret', 'dashboardToken'],
      // What the API shows again, and what signs, has to be kept; where, is looked at below.
      'store.db': ['client secret', 'webhook secret'],
    }[name];
    expect([name, holds.filter((kind) => !may?.includes(kind))]).toEqual([name, []]);
  }
  for (const path of [folder, join(folder, 'keys.json'), join(folder, 'store.db')]) {
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  }
});

test('secrets: in the store client secrets and webhook secrets are in one column each', () => {
  const store = new DatabaseSync(join(folder, 'store.db'), { readOnly: true });
  fixture.onCleanUp(() => store.close());
  const tables = store.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  const holding = tables.flatMap(({ name }) => {
    const rows = store.prepare(`SELECT * FROM "${name}"`).all();
    return rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        leaks(String(value)).map((kind) => `${kind} in ${name}.${column}`),
      ),
    );
  });
  expect([...new Set(holding)].sort()).toEqual([
    'client secret in payment_sessions.client_secret',
    'webhook secret in webhooks.secret',
    'webhook secret in webhooks.url',
  ]);
});
