// Makes a data folder with an older version of Tapbench: `node test/data-folders/make.mjs CHECKOUT NAME`, where
// CHECKOUT is that version, built. The folder is left as `kill -9` leaves it, each file compressed, in NAME beside
// this script, with what the API answered just before in answers.json. With DATABASE_URL, an empty database, the objects
// are there and the folder, in test/system/stores/databases, has a dump of it.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [checkout, name] = process.argv.slice(2);
if (!checkout || !name) throw new Error('usage: node test/data-folders/make.mjs CHECKOUT NAME');
const { DATABASE_URL } = process.env;
const dataDir = mkdtempSync(join(tmpdir(), 'tapbench-data-folder-'));

// The keys of a test world (testing/world/world.ts), so that its calls are let in.
const KEYS = {
  secretKey: 'sk_sandbox_world',
  publicKey: 'pk_sandbox_world',
  pairingSecret: 'a pairing secret for worlds, long enough for anybody',
};
writeFileSync(join(dataDir, 'keys.json'), JSON.stringify(KEYS), { mode: 0o600 });

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));

const child = spawn(process.execPath, [join(checkout, 'dist/cli/main.js'), 'up', '--json'], {
  env: {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    MQTT_PORT: '0',
    RATE_LIMIT: 'off',
    ...(DATABASE_URL && { DATABASE_URL }),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => child.kill('SIGKILL'));
const [line] = await once((done) => child.stdout.on('data', done));
const { url } = JSON.parse(String(line));

function once(listen) {
  return new Promise((resolve) => listen((...values) => resolve(values)));
}

async function call(method, path, body, key = KEYS.secretKey) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text && JSON.parse(text);
}

async function eventually(what, look) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not in time: ${what}`);
}

const CARD = { number: '4444333322221111', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

function payOnline(clientSecret, more = {}) {
  const body = { clientSecret, cardDetails: CARD, customerDetails: { email: 'sam@example.com' }, ...more };
  return call('POST', '/v1/payment-sessions/attempt-payment', body, KEYS.publicKey);
}

async function register(serialNumber, cardholder) {
  const { items } = await call('GET', '/v1/in-person/locations');
  const terminal = await call('POST', '/v1/in-person/terminals', { serialNumber, locationId: items[0].id });
  const path = `/sandbox/terminals/${terminal.id}`;
  await eventually(`${serialNumber} to be online`, async () => (await call('GET', path)).online);
  if (cardholder) await call('POST', `${path}/cardholder`, { script: cardholder });
  return terminal.id;
}

const startPayment = (terminal, requested, receipts = 'Terminal') =>
  call('POST', `/v1/in-person/terminals/${terminal}/payment`, {
    amounts: { requested },
    currency: 'GBP',
    settings: { receiptPrintingSource: receipts },
  });

const actionOf = async (terminal) => (await call('GET', `/v1/in-person/terminals/${terminal}`)).action;

const reaches = (terminal, state) =>
  eventually(`${terminal} to be ${state}`, async () => {
    const seen = (await call('GET', `/sandbox/terminals/${terminal}`)).state;
    return seen?.split('.').includes(state);
  });

// One endpoint that answers, one that nobody is at: what it is due is delivered when it is back.
const listened = ['PaymentSession.captured', 'PaymentSession.voided', 'PaymentSession.refunded'];
await call('POST', '/v1/webhooks', {
  url: `http://127.0.0.1:${receiver.address().port}/webhooks`,
  active: true,
  eventTypes: listened,
});
const away = await call('POST', '/v1/webhooks', {
  url: 'https://shop.example/webhooks',
  active: true,
  eventTypes: [...listened, 'Terminal.action_updated'],
});

const idle = await register('SIM-IDLE');
const started = await startPayment(idle, 1742);
await eventually('the payment to end', async () => (await actionOf(idle)).status === 'Succeeded');
const inPerson = started.action.transaction.paymentSessionId;
await call('POST', `/v1/payment-sessions/${inPerson}/refunds`, { amount: 242 });

const session = await call('POST', '/v1/payment-sessions', { amount: 5000, currency: 'GBP' });
await payOnline(session.clientSecret);
const held = await call('POST', '/v1/payment-sessions', {
  amount: 900,
  currency: 'GBP',
  captureMethod: 'Manual',
});
await payOnline(held.clientSecret);

// The online payments made the customer, by the email address.
const customer = (await call('GET', '/v1/customers?email=sam@example.com')).items[0];
const subscription = await call('POST', '/v1/subscriptions', {
  customer: { id: customer.id },
  price: { amount: 1500, currency: 'GBP', interval: { unit: 'Months', count: 1 } },
});
await payOnline(subscription.paymentSessions.initial.clientSecret);
await eventually('the subscription to be active', async () => {
  return (await call('GET', `/v1/subscriptions/${subscription.id}`)).status === 'Active';
});

const paths = [
  ...[inPerson, session.id, held.id].flatMap((id) => [
    `/v1/payment-sessions/${id}`,
    `/v1/payment-sessions/${id}/transactions?ascending=true`,
  ]),
  `/v1/customers/${customer.id}`,
  `/v1/customers/${customer.id}/payment-methods`,
  `/v1/subscriptions/${subscription.id}`,
  `/v1/subscriptions/${subscription.id}/payment-sessions`,
  `/v1/in-person/terminals/${idle}`,
  '/v1/webhooks',
  '/v1/balances',
  '/v1/balance-transactions?ascending=true',
];
const answers = {};
for (const path of paths) answers[path] = await call('GET', path);

let sandbox;
if (DATABASE_URL) {
  const { secretKey } = await call('POST', '/sandboxes', { name: 'ci' });
  const { id } = await call('POST', '/v1/customers', { email: 'ana@example.com' }, secretKey);
  sandbox = { secretKey, customerId: id };
}

// Three terminals in the middle of a payment.
const awaitingCopy = await register('SIM-COPY');
const awaitingPin = await register('SIM-PIN', 'none');
const awaitingCard = await register('SIM-CARD', 'none');
await startPayment(awaitingCopy, 1100, 'PointOfSale');
await startPayment(awaitingPin, 1200);
await startPayment(awaitingCard, 1300);
await reaches(awaitingCopy, 'awaitingMerchantReceipt');
await reaches(awaitingPin, 'awaitingCard');
await call('POST', `/sandbox/terminals/${awaitingPin}/present-card`, { card: 'visa-contact-pin' });
await reaches(awaitingPin, 'awaitingPin');
await reaches(awaitingCard, 'awaitingCard');
const terminals = { idle, awaitingCopy, awaitingPin, awaitingCard };
const underWay = {};
for (const terminal of Object.values(terminals).slice(1))
  underWay[terminal] = (await actionOf(terminal)).transaction.paymentSessionId;

const ended = once((done) => child.once('close', done));
child.kill('SIGKILL');
await ended;
const killedMs = Date.now();
receiver.close();

if (DATABASE_URL)
  writeFileSync(
    join(dataDir, 'database.sql'),
    execFileSync('pg_dump', ['--no-owner', DATABASE_URL], { maxBuffer: 2 ** 28 }),
  );

const out = join(import.meta.dirname, DATABASE_URL ? '../system/stores/databases' : '', name);
rmSync(out, { recursive: true, force: true });
let bytes = 0;
for (const path of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
  const from = join(dataDir, path);
  // The lock names a process that is gone; the index of the write-ahead log is made from it.
  if (!statSync(from).isFile() || /lock|-shm$/.test(path)) continue;
  const to = join(out, 'files', `${path}.gz`);
  mkdirSync(dirname(to), { recursive: true });
  const packed = gzipSync(readFileSync(from), { level: 9 });
  writeFileSync(to, packed);
  bytes += packed.length;
}
const known = {
  killedMs,
  terminals,
  underWay,
  webhookSecret: away.secret,
  ...(sandbox && { sandbox }),
  answers,
};
writeFileSync(join(out, 'answers.json'), `${JSON.stringify(known, null, 2)}\n`);
rmSync(dataDir, { recursive: true });
console.log(`${out}: ${bytes} bytes`);
