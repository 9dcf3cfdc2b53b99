import { onTestFinished } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { bootstrapAccounts } from '../../../server/api/bootstrap/bootstrap.ts';
import { actionRoutes } from '../../../server/api/in-person/actions/action.resource.ts';
import { locationRoutes } from '../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminals/terminal.resource.ts';
import { customerRoutes } from '../../../server/api/customers/customer.resource.ts';
import { attemptRoutes } from '../../../server/api/payments/attempt.resource.ts';
import { captureVoidRefundRoutes } from '../../../server/api/payments/captures-voids-refunds.resource.ts';
import { paymentSessionRoutes } from '../../../server/api/payments/payment-session.resource.ts';
import { createHttpServer } from '../../../server/platform/http/http-server.ts';
import { contextsOfOne, createContext } from '../../../server/platform/http/request-context.ts';
import { sandboxSettingsOf } from '../../../server/platform/settings.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Queries, Store } from '../../../server/platform/store/store.ts';
import { disputeControlRoutes } from '../../../server/sandbox-controls/dispute-control.resource.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { fakeGateway } from '../../server/platform/http/fake-gateway.ts';
import { fakeJobs } from '../../server/platform/http/fake-jobs.ts';
import { smallRouting } from '../../server/platform/http/small-routing.ts';
import { testServices } from '../../server/test-services.ts';
import { ADDRESS } from '../../server/api/in-person/shop-server.ts';
import type { Contender } from './interleavings.ts';

const ROUTES = [
  ...locationRoutes,
  ...terminalRoutes,
  ...actionRoutes,
  ...paymentSessionRoutes,
  ...attemptRoutes,
  ...customerRoutes,
  ...captureVoidRefundRoutes,
  ...disputeControlRoutes,
];

export const CARD = {
  name: 'Ana Diaz',
  number: '4242424242424242',
  expiryMonth: '12',
  expiryYear: '2039',
  cvc: '123',
};

/** A shop on a PostgreSQL server, whose requests race each other. */
export interface RacingShop {
  /** An approved payment of 10.00 whose capture is manual. */
  approved: string;
  /** A captured payment of 10.00. */
  captured: string;
  /** A payment of 10.00 that is not paid yet, of a customer. */
  unpaid: { id: string; clientSecret: string };
  customerId: string;
  /** Two payments whose customer is not known yet. */
  nameless: { clientSecret: string }[];
  terminalId: string;
  /** A request with a store of its own; resolves with its status, and the message of a refusal. */
  request(operation: string, body: object, headers?: Record<string, string>): Contender;
  /** Undoes what the requests did. */
  prepare(store: Store): Promise<void>;
  state(queries: Queries): Promise<unknown>;
}

export async function openRacingShop(url: string): Promise<RacingShop> {
  const store = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(() => store.close());
  const clock = new VirtualClock(Date.UTC(2026, 2, 2, 12));
  const services = testServices(
    {
      store,
      clock,
      random: seededRandom('racing shop'),
      settings: sandboxSettingsOf({ idempotencyKeys: 'on' }),
    },
    { gateway: fakeGateway(), jobs: fakeJobs() },
  );
  await bootstrapAccounts(services);
  const routing = await smallRouting(ROUTES, services.settings.mode);

  async function call(
    own: Store,
    operation: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> {
    const http = createHttpServer(routing, contextsOfOne(createContext({ ...services, store: own })));
    const [method, path] = operation.split(' ') as ['POST' | 'PATCH' | 'DELETE', string];
    const authorization = services.settings.secretKey;
    const answer = await http.inject({
      method,
      url: path,
      payload: JSON.stringify(body),
      headers: { authorization, 'content-type': 'application/json', ...headers },
    });
    await http.close();
    return { status: answer.statusCode, text: answer.body };
  }

  async function made(path: string, body: object): Promise<{ id: string; clientSecret: string }> {
    const { status, text } = await call(store, `POST ${path}`, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return JSON.parse(text) as { id: string; clientSecret: string };
  }

  async function paid(captureFlow: 'Manual' | 'Automatic'): Promise<string> {
    const terms = { amount: 1_000, currency: 'GBP', captureFlow, customerEmail: 'ana@corner.example' };
    const { id, clientSecret } = await made('/v1/payment-sessions', terms);
    await made('/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails: CARD });
    return id;
  }

  const { id: locationId } = await made('/v1/in-person/locations', { name: 'Corner', address: ADDRESS });
  const terminal = { serialNumber: '1853000001', locationId };
  const { id: terminalId } = await made('/v1/in-person/terminals', terminal);
  const [approved, captured] = [await paid('Manual'), await paid('Automatic')];
  const terms = { amount: 1_000, currency: 'GBP' };
  const customer = await made('/v1/customers', { email: 'bo@corner.example' });
  const unpaid = await made('/v1/payment-sessions', { ...terms, customerId: customer.id });
  const nameless = [await made('/v1/payment-sessions', terms), await made('/v1/payment-sessions', terms)];
  // A terminal refunds what was paid at a terminal.
  await store.run(`UPDATE payment_sessions SET entry_mode = 'InPerson' WHERE id = ?`, captured);
  const tables = [
    'payment_sessions',
    'payment_transactions',
    'actions',
    'disputes',
    'customers',
    'payment_methods',
  ];
  for (const table of tables) await store.run(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);

  return {
    approved,
    captured,
    unpaid,
    customerId: customer.id,
    nameless,
    terminalId,
    request: (operation, body, headers) => async (own) => {
      const { status, text } = await call(own, operation, body, headers);
      const { errors } = JSON.parse(text) as { errors?: { message: string }[] };
      return errors === undefined ? status : `${status} ${errors[0]!.message}`;
    },
    async prepare(prepared) {
      await prepared.run('DELETE FROM idempotency_keys');
      await prepared.run('UPDATE terminals SET last_action_id = NULL');
      for (const table of tables) {
        await prepared.run(`DELETE FROM ${table}`);
        await prepared.run(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`);
      }
    },
    async state(queries) {
      const sessions = await queries.all(
        'SELECT status, amount_minor, captured_minor, refunded_minor, metadata FROM payment_sessions ORDER BY seq',
      );
      const transactions = await queries.all(
        'SELECT type, status, amount_minor, refunded_minor FROM payment_transactions ORDER BY type, seq',
      );
      const actions = await queries.all('SELECT type, status, phase FROM actions ORDER BY type');
      const disputes = await queries.all('SELECT status, amount_minor FROM disputes');
      const customers = await queries.all('SELECT email, deleted FROM customers ORDER BY email, deleted');
      const cards = await queries.all(
        'SELECT stored, deleted, customer_id FROM payment_methods ORDER BY stored, deleted, customer_id',
      );
      const unknown = cards.map((card) => ({ ...card, customer_id: card['customer_id'] === customer.id }));
      return { sessions, transactions, actions, disputes, customers, cards: unknown };
    },
  };
}
