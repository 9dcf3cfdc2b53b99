import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import { startMosquitto, type Mosquitto } from '../brokers/mosquitto-server.ts';
import { writtenAcl } from '../brokers/written-acl.ts';
import { ALL_EVENTS } from '../../../cli/server/seed.ts';
import { freePort } from '../../kit/free-port.ts';
import type { Json } from '../kit/http-call.ts';
import type { Receiver } from '../kit/receiver.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPostgres, type PostgresServer } from '../stores/postgres-server.ts';

const KEYS = {
  SECRET_KEY: 'sk_sandbox_0123456789abcdef0123456789abcdef',
  PUBLIC_KEY: 'pk_sandbox_0123456789abcdef0123456789abcdef',
  PAIRING_SECRET: 'a pairing secret that both servers have, long enough',
};

export const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

const LARGEST_PAYMENT = 2_000_000;
/** More than all transfers of a long run take. */
const PAYMENTS_BEFORE = 5;

/** Two servers on one database and one broker, their terminals in a process of its own, and a webhook for every event. */
export interface TwoServers {
  servers: readonly [Tapbench, Tapbench];
  postgres: PostgresServer;
  databaseUrl: string;
  mosquitto: Mosquitto;
  terminalIds: string[];
  receiver: Receiver;
  webhook: { id: string; secret: string };
  /** A sub account that is paid out by hand, and its bank account. */
  payee: { accountId: string; payoutMethodId: string };
}

/** Starts two servers whose platform has money to transfer. */
export async function startTwoServers(fixture: SystemFixture, terminals: number): Promise<TwoServers> {
  const postgres = await startPostgres({ durable: true });
  fixture.onCleanUp(() => postgres.stop());
  const databaseUrl = await postgres.freshDatabase();
  const brokerPort = await freePort();
  const env = { ...KEYS, DATABASE_URL: databaseUrl, IDEMPOTENCY_KEYS: 'on' };
  const start = (user: string) =>
    fixture.tapbench({
      command: 'server',
      env: { ...env, MQTT_URL: `mqtt://${user}127.0.0.1:${brokerPort}` },
    });
  const servers = [await start(''), await start('server-2@')] as const;
  const acl = async () => (await writtenAcl(fixture, env, ['--instances', '2'])).files;
  const mosquitto = await startMosquitto(await acl(), brokerPort);
  fixture.onCleanUp(() => mosquitto.stop());

  const receiver = await fixture.receiver();
  const webhook = { url: receiver.url, active: true, eventTypes: ALL_EVENTS };
  const payee = await prepareMoney(servers[0]);
  const made = await done(servers[0], 'POST', '/v1/webhooks', webhook);
  const stack = { servers, postgres, databaseUrl, mosquitto, receiver, payee, webhook: made };

  const sim = fixture.command(
    ['sim', '--terminals', `${terminals}`, '--delay', '200', '--json', '--mqtt', mosquitto.url],
    { env: { TAPBENCH_URL: servers[1].url, SECRET_KEY: KEYS.SECRET_KEY, DATA_DIR: fixture.folder() } },
  );
  await waitFor('the terminals to be paired', () => sim.stderr.includes('the broker refuses the terminals'));
  mosquitto.reload(await acl());
  const [line] = await sim.prints(/^\{.*\}$/m);
  return { ...stack, terminalIds: JSON.parse(line).terminals.map(({ id }: Json) => id) };
}

async function done(server: Tapbench, method: string, path: string, body: object): Promise<Json> {
  const answer = await server.api(method, path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** What the platform earns is available after some days. */
async function prepareMoney(server: Tapbench): Promise<TwoServers['payee']> {
  const { subAccountId: accountId } = server;
  const path = `/v1/accounts/${accountId}`;
  const method = await done(server, 'POST', `${path}/payout-methods`, BANK_ACCOUNT);
  await done(server, 'PATCH', path, { settings: { payouts: { schedule: { type: 'Manual' } } } });
  for (let payments = 0; payments < PAYMENTS_BEFORE; payments += 1) {
    const terms = { amount: LARGEST_PAYMENT, currency: 'GBP', customerEmail: 'first@payer.example' };
    const { clientSecret } = await done(server, 'POST', '/v1/payment-sessions', terms);
    const attempt = { clientSecret, cardDetails: CARD };
    await done(server, 'POST', '/v1/payment-sessions/attempt-payment', attempt);
  }
  await done(server, 'POST', '/sandbox/clock/advance', { seconds: 7 * 24 * 3600 });
  return { accountId, payoutMethodId: method.id };
}
