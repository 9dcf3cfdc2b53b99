import { AsyncLocalStorage } from 'node:async_hooks';
import type { BodyOf, DeclaredMessage } from '../../../../protocol/message.ts';
import {
  ActionAccepted,
  ActionCompleted,
  AuthoriseAction,
} from '../../../../protocol/messages/action.messages.ts';
import type { MaskedCard } from '../../../../protocol/messages/card-data.schema.ts';
import type { Route } from '../../../../server/platform/http/route.ts';
import { handleTerminalReports } from '../../../../server/api/in-person/reports/action-reports.ts';
import { actionRoutes } from '../../../../server/api/in-person/actions/action.resource.ts';
import { locationRoutes } from '../../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../../server/api/in-person/terminals/terminal.resource.ts';
import { sandboxActionRoutes } from '../../../../server/sandbox-controls/sandbox-action.resource.ts';
import { paymentSessionRoutes } from '../../../../server/api/payments/payment-session.resource.ts';
import { pairingRoutes } from '../../../../server/api/pairing/pairing.resource.ts';
import { paymentTransactionRoutes } from '../../../../server/api/payments/payment-transaction.resource.ts';
import { UniqueViolation, type Store } from '../../../../server/platform/store/store.ts';
import { smallServer, type Answer, type SmallServer } from '../../platform/http/small-server.ts';

export const ADDRESS = { lineOne: '1 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
export const LOCATION = { name: 'Corner Shop', address: ADDRESS };
export const UNKNOWN_ID = '01J9Z6M1N2P3Q4R5S6T7V8W9XA';

export const VISA: MaskedCard = {
  scheme: 'Visa',
  bin: '401200',
  last4: '0085',
  expiryMonth: '12',
  expiryYear: '2039',
  entryMode: 'Contactless',
};

/**
 * The in-person side of a server without a broker: the test plays the terminal, sends its reports and sees the commands
 * to it. Nothing happens by itself, not even deadlines.
 */
export interface ShopServer extends SmallServer {
  location(account?: string): Promise<string>;
  /** Registers a terminal at a new location. */
  terminal(options?: { serialNumber?: string; account?: string }): Promise<string>;
  /** A call of the in-person API about one terminal. */
  at(terminalId: string, what: string, body?: unknown, account?: string): Promise<Answer>;
  /** Starts a payment, and returns the ids of its action and its session. */
  pay(terminalId: string, body?: object): Promise<{ actionId: string; sessionId: string }>;
  /** Resolves when the report has been handled. */
  report<M extends DeclaredMessage>(message: M, terminalId: string, body: BodyOf<M>): Promise<void>;
  /** Reports acceptance and a card, numbered 1 and 2. */
  authorise(terminalId: string, actionId: string, card?: MaskedCard): Promise<void>;
  /** Takes a payment until it is captured. */
  captured(terminalId: string, body?: object): Promise<{ actionId: string; sessionId: string }>;
  /**
   * Makes concurrent calls whose transactions begin, in this order, once each call has read what it reads before its
   * transaction. Returns their statuses.
   */
  race(...calls: (() => Promise<Answer>)[]): Promise<number[]>;
  /** The next transaction fails with a UniqueViolation after `meanwhile`, as on PostgreSQL. */
  conflict(meanwhile: () => Promise<unknown>): void;
  /** Names of the messages sent to a terminal. */
  sentTo(terminalId: string): string[];
}

export const PAYMENT = { amounts: { requested: 1000 }, currency: 'GBP' };

export async function shopServer(): Promise<ShopServer> {
  const starts = createStartLine();
  const server = await smallServer(SHOP_ROUTES, {}, ({ store }) => ({ store: starts.before(store) }));
  handleTerminalReports(server.services);
  const { call, gateway, services } = server;
  let serials = 0;
  const as = (account: string | undefined) => (account ? { account } : {});

  const shop: ShopServer = {
    ...server,
    async location(account) {
      const { body } = await call('POST /v1/in-person/locations', { body: LOCATION, headers: as(account) });
      return body.id;
    },
    async terminal({ serialNumber = `1853${String(serials++).padStart(6, '0')}`, account } = {}) {
      const body = { serialNumber, locationId: await shop.location(account) };
      return (await call('POST /v1/in-person/terminals', { body, headers: as(account) })).body.id;
    },
    at: (id, what, body, account) =>
      call(`POST /v1/in-person/terminals/${id}/${what}`, { body, headers: as(account) }),
    async pay(terminalId, body = {}) {
      const { status, text, body: terminal } = await shop.at(terminalId, 'payment', { ...PAYMENT, ...body });
      if (status !== 200) throw new Error(text);
      return { actionId: terminal.action.id, sessionId: terminal.action.transaction.paymentSessionId };
    },
    async report(message, terminalId, body) {
      gateway.report(message, terminalId, body);
      // Transactions run in the order they were asked for.
      await services.store.transaction(async () => {});
    },
    async authorise(terminalId, actionId, card = VISA) {
      await shop.report(ActionAccepted, terminalId, { actionId, seq: 1 });
      await shop.report(AuthoriseAction, terminalId, { actionId, seq: 2, card, verification: 'None' });
    },
    async captured(terminalId, body) {
      const started = await shop.pay(terminalId, body);
      await shop.authorise(terminalId, started.actionId);
      await shop.report(ActionCompleted, terminalId, {
        actionId: started.actionId,
        seq: 3,
        failedCopies: [],
      });
      return started;
    },
    async race(...calls) {
      const answers = [];
      starts.hold();
      for (const begin of calls) {
        const arrived = starts.nextArrival();
        const answer = starts.racing(begin);
        answers.push(answer);
        await Promise.race([arrived, answer]);
      }
      starts.release();
      return (await Promise.all(answers)).map(({ status }) => status);
    },
    conflict: starts.clash,
    sentTo: (id) => gateway.sent.filter(({ terminalId }) => terminalId === id).map(({ message }) => message),
  };
  return shop;
}

const SHOP_ROUTES: readonly Route[] = [
  ...paymentSessionRoutes,
  ...paymentTransactionRoutes,
  ...locationRoutes,
  ...terminalRoutes,
  ...actionRoutes,
  ...pairingRoutes,
  ...sandboxActionRoutes,
];

/** Holds the transactions of a race back until all calls have reached them. */
function createStartLine() {
  // Only the calls of a race wait: background work would take the place of one.
  const inRace = new AsyncLocalStorage<boolean>();
  let waiting: (() => void)[] | undefined;
  let arrived = () => {};
  let meanwhile: (() => Promise<unknown>) | undefined;
  return {
    before: (store: Store): Store => ({
      engine: store.engine,
      get: (sql, ...parameters) => store.get(sql, ...parameters),
      all: (sql, ...parameters) => store.all(sql, ...parameters),
      run: (sql, ...parameters) => store.run(sql, ...parameters),
      close: () => store.close(),
      async transaction(body, options) {
        const first = meanwhile;
        meanwhile = undefined;
        if (first) {
          await first();
          throw new UniqueViolation('a unique index');
        }
        if (waiting && inRace.getStore()) {
          const line = waiting;
          await new Promise<void>((resolve) => {
            line.push(resolve);
            arrived();
          });
        }
        return store.transaction(body, options);
      },
    }),
    clash: (before: () => Promise<unknown>) => void (meanwhile = before),
    hold: () => void (waiting = []),
    racing: <T>(begin: () => T): T => inRace.run(true, begin),
    nextArrival: () => new Promise<void>((resolve) => (arrived = resolve)),
    release() {
      const line = waiting ?? [];
      waiting = undefined;
      // Once used, a storage has Node call a hook for each promise of the process, in all later tests too.
      inRace.disable();
      for (const go of line) go();
    },
  };
}
