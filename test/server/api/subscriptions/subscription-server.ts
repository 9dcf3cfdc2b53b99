import { onTestFinished } from 'vitest';
import { seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { bootstrapAccounts } from '../../../../server/api/bootstrap/bootstrap.ts';
import { createCardToken } from '../../../../server/api/customers/card-tokens.ts';
import { customerRoutes } from '../../../../server/api/customers/customer.resource.ts';
import { paymentMethodRoutes } from '../../../../server/api/customers/payment-method.resource.ts';
import { createHttpServer } from '../../../../server/platform/http/http-server.ts';
import { createContext } from '../../../../server/platform/http/request-context.ts';
import { attemptPayment } from '../../../../server/api/payments/attempt-payment.ts';
import { paymentSessions } from '../../../../server/api/payments/payment-session.records.ts';
import type { SandboxServices } from '../../../../server/area-ports.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import { registerBilling } from '../../../../server/api/subscriptions/billing.ts';
import { subscriptionRoutes } from '../../../../server/api/subscriptions/subscription.resource.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { recordSteps } from '../../platform/record-steps.ts';
import { smallRouting } from '../../platform/http/small-routing.ts';
import { testServices } from '../../test-services.ts';

const ROUTES = [...customerRoutes, ...paymentMethodRoutes, ...subscriptionRoutes];

/** 31 January 2026, half past nine in the morning. */
const START_MS = Date.UTC(2026, 0, 31, 9, 30);
export const START = START_MS / 1000;
export const DAY = 86_400;

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

interface Answer {
  status: number;
  body: Json;
}

/** The subscription side of a server, its jobs running, on time that stands still until it is moved. */
export interface SubscriptionServer {
  services: SandboxServices;
  clock: VirtualClock;
  platformId: string;
  subAccountId: string;
  customerId: string;
  call(operation: string, body?: unknown, account?: string): Promise<Answer>;
  /** Creates a monthly subscription of 9.00 unless told otherwise; answers it. */
  subscribe(more?: object): Promise<Json>;
  /** What has become of a subscription. */
  look(id: string): Promise<Json>;
  /** A card that the customer keeps; one that has expired is declined. */
  card(options?: { expiryMonth?: string; expiryYear?: string; customerId?: string }): Promise<string>;
  /** What a front end does with a session: pays it with a card typed in. Answers the session's status. */
  pay(sessionId: string, options?: { expiryYear?: string }): Promise<string>;
  /** Moves time on to an instant: `2026-02-28T09:30`. */
  until(time: string): Promise<void>;
  /** The same, while nobody is there to do what becomes due; then somebody is again. */
  awayUntil(time: string): Promise<void>;
  /** Subscription events so far, without their common first word. */
  events(): Promise<string[]>;
  /** The payment sessions of a subscription, oldest first. */
  sessions(id: string): Promise<Json[]>;
}

export async function subscriptionServer(): Promise<SubscriptionServer> {
  const clock = new VirtualClock(START_MS, settled);
  const store = await openStore({ log: silentLog });
  const random = seededRandom('subscriptions');
  const startProcess = (instanceId: string) => {
    const services = testServices({ store, clock, random, instanceId });
    recordSteps(services);
    registerBilling(services);
    services.jobs.start();
    return createContext(services);
  };
  let context = startProcess('first');
  const accounts = await bootstrapAccounts(context.services);
  const http = createHttpServer(await smallRouting(ROUTES), { main: context, of: () => context });
  onTestFinished(async () => {
    await context.services.jobs.stop();
    await http.close();
    await store.close();
  });

  const call: SubscriptionServer['call'] = async (operation, body, account) => {
    const [method, path] = operation.split(' ') as ['GET', string];
    const answer = await http.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: context.services.settings.secretKey, ...(account ? { account } : {}) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const customerId = (await call('POST /customers', { email: 'sam@example.com' })).body.id as string;

  return {
    get services() {
      return context.services;
    },
    clock,
    ...accounts,
    customerId,
    call,
    async subscribe(more = {}) {
      const price = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } };
      const { body } = await call('POST /subscriptions', { customer: { id: customerId }, price, ...more });
      return body;
    },
    look: async (id) => (await call(`GET /subscriptions/${id}`)).body,
    async card({ expiryMonth = '12', expiryYear = '2031', customerId: owner = customerId } = {}) {
      const facts = { scheme: 'Visa', bin: '444433', last4: '1111', expiryMonth, expiryYear } as const;
      const { platformId: accountId } = accounts;
      const kept = { accountId, sessionId: 'ps_1', customerId: owner, card: facts, stored: true } as const;
      const nothing = { billingAddress: undefined, checks: undefined };
      return (await store.transaction((tx) => createCardToken(tx, context.services, { ...kept, ...nothing })))
        .id;
    },
    pay: (sessionId, { expiryYear = '2031' } = {}) =>
      store.transaction(async (tx) => {
        const session = (await paymentSessions.findAny(tx, sessionId))!;
        const card = { scheme: 'Visa', bin: '444433', last4: '1111', expiryMonth: '12', expiryYear } as const;
        const instrument = { kind: 'card', card, cvc: '123' } as const;
        const attempt = { instrument, store: false, channel: 'Browser' } as const;
        return (await attemptPayment(tx, context.services, session, attempt)).status;
      }),
    until: (time) => clock.advance(Date.parse(`${time}Z`) - clock.nowMs()),
    async awayUntil(time) {
      await context.services.jobs.stop();
      await clock.advance(Date.parse(`${time}Z`) - clock.nowMs());
      context = startProcess('second');
      await clock.advance(1000);
    },
    async events() {
      const rows = await store.all<{ event_type: string }>(
        `SELECT event_type FROM events WHERE event_type LIKE 'Subscription.%' ORDER BY seq`,
      );
      return rows.map(({ event_type: type }) => type.split('.')[1]!);
    },
    sessions: async (id) =>
      (await call(`GET /subscriptions/${id}/payment-sessions?ascending=true&limit=50`)).body.items,
  };
}

// Nothing here waits for the real world, so after this many turns of the event loop everything is at rest.
const TURNS = 40;

async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
