import type { DeclaredMessage } from '../../../protocol/message.ts';
import {
  ActionAccepted,
  ActionCompleted,
  AuthoriseAction,
} from '../../../protocol/messages/action.messages.ts';
import { registerActionDeadlines } from '../../../server/api/in-person/actions/action-deadlines.ts';
import { actionRoutes } from '../../../server/api/in-person/actions/action.resource.ts';
import { handleTerminalReports } from '../../../server/api/in-person/reports/action-reports.ts';
import { locationRoutes } from '../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminals/terminal.resource.ts';
import type { Store } from '../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { ADDRESS, PAYMENT, VISA } from '../../server/api/in-person/shop-server.ts';
import { fakeGateway } from '../../server/platform/http/fake-gateway.ts';
import { fakeJobs } from '../../server/platform/http/fake-jobs.ts';
import type { Contender, Rows } from './interleavings.ts';
import { openRacingServer, type RacingServer } from './racing-server.ts';
import { racesOf, type RequestPair } from './request-races.ts';

/** Later than any deadline of an action. */
const LATER_MS = 10 * 60_000;

/** A report of the terminal, besides the action and its number. */
type Report = [message: DeclaredMessage, body?: object];

/** What the terminal reports of a payment, in order. */
const REPORTS = {
  acceptance: [ActionAccepted],
  authorisation: [AuthoriseAction, { card: VISA, verification: 'None' }],
  completion: [ActionCompleted, { failedCopies: [] }],
} as const satisfies Record<string, Report>;

type ReportName = keyof typeof REPORTS;
const ORDER = Object.keys(REPORTS) as ReportName[];

/** A terminal with a payment in progress, about which reports, requests and a deadline race each other. */
interface RacingTerminal extends Rows {
  /** The terminal reports this. */
  report(name: ReportName): Contender;
  /** Sends a request about the terminal. */
  request(what: string, body?: object): Contender;
  /** The deadline of the action passes. */
  deadline: Contender;
}

/** Opens a terminal whose payment has been reported so far. */
async function openTerminal(
  url: string,
  reported: number,
  receiptPrintingSource: 'Terminal' | 'PointOfSale',
): Promise<RacingTerminal> {
  const server = await openRacingServer(url, [...locationRoutes, ...terminalRoutes, ...actionRoutes]);
  const { made, request, keep, store } = server;
  const { id: locationId } = await made('/v1/in-person/locations', { name: 'Corner', address: ADDRESS });
  const { id } = await made('/v1/in-person/terminals', { serialNumber: '1853000001', locationId });
  const payment = { ...PAYMENT, settings: { receiptPrintingSource } };
  const { action } = await made(`/v1/in-person/terminals/${id}/payment`, payment);
  const about = { terminalId: id as string, actionId: action.id as string };
  for (const name of ORDER.slice(0, reported)) await sendReport(server, about, name)(store);
  const restore = await keep(['terminals', 'payment_sessions', 'payment_transactions', 'actions', 'events']);
  return {
    report: (name) => sendReport(server, about, name),
    request: (what, body = {}) => request(`POST /v1/in-person/terminals/${id}/${what}`, body),
    deadline: passDeadline(server, about.actionId),
    async prepare(prepared) {
      await restore(prepared);
      for (const table of ['postings', 'balance_transactions', 'balances'])
        await prepared.run(`DELETE FROM ${table}`);
    },
    state: async (queries) => ({
      actions: await queries.all(
        'SELECT status, phase, seen_seq, error_code, merchant_copy, customer_copy FROM actions ORDER BY seq',
      ),
      sessions: await queries.all('SELECT status, captured_minor FROM payment_sessions'),
      transactions: await queries.all(
        'SELECT type, status, amount_minor FROM payment_transactions ORDER BY seq',
      ),
      events: await queries.all('SELECT event_type FROM events ORDER BY seq'),
      money: await queries.all(
        'SELECT holder, SUM(amount_minor) AS sum FROM postings GROUP BY holder ORDER BY 1',
      ),
    }),
  };
}

interface About {
  terminalId: string;
  actionId: string;
}

function sendReport(
  { services }: RacingServer,
  { terminalId, actionId }: About,
  name: ReportName,
): Contender {
  const [message, body = {}]: Report = REPORTS[name];
  return async (own: Store) => {
    let handled: Promise<void> | undefined;
    const gateway = fakeGateway();
    handleTerminalReports({
      ...services,
      store: own,
      gateway: {
        ...gateway,
        onReport(declared, handle) {
          if (declared.name !== message.name) return;
          const whole = { actionId, seq: ORDER.indexOf(name) + 1, ...body };
          handled = (handle as (id: string, body: unknown) => Promise<void>)(terminalId, whole);
        },
      },
    });
    await handled;
    return 200;
  };
}

function passDeadline({ services }: RacingServer, actionId: string): Contender {
  return async (own: Store) => {
    let passed: Promise<void> | undefined;
    registerActionDeadlines({
      ...services,
      store: own,
      clock: new VirtualClock(services.clock.nowMs() + LATER_MS),
      jobs: {
        ...fakeJobs(),
        handle(kind, handle) {
          const job = { seq: 1, kind, queue: '', key: actionId, payload: null, dueMs: 0, attempts: 0 };
          passed = handle(job);
        },
      },
    });
    await passed;
    return 200;
  };
}

const REQUESTS = {
  acceptance: ({ report }) => report('acceptance'),
  authorisation: ({ report }) => report('authorisation'),
  completion: ({ report }) => report('completion'),
  deadline: ({ deadline }) => deadline,
  cancellation: ({ request }) => request('cancel-action'),
  confirmation: ({ request }) => request('confirm-receipt', { merchantCopy: { status: 'Succeeded' } }),
} as const satisfies Record<string, (terminal: RacingTerminal) => Contender>;

type Name = keyof typeof REQUESTS;

/** Races of a payment of which so much has been reported. */
const raced = (
  reported: number,
  pairs: readonly RequestPair<Name>[],
  receipts: 'Terminal' | 'PointOfSale' = 'Terminal',
) =>
  racesOf({
    open: (url) => openTerminal(url, reported, receipts),
    requests: REQUESTS,
    pairs: { actionInProgress: pairs },
  });

export const ACTION_RACES = [
  raced(0, [
    { requests: ['acceptance', 'cancellation'], guardOut: true },
    { requests: ['acceptance', 'deadline'] },
    { requests: ['cancellation', 'deadline'] },
  ]),
  raced(1, [
    { requests: ['authorisation', 'cancellation'], guardOut: true },
    { requests: ['authorisation', 'authorisation'] },
    { requests: ['authorisation', 'deadline'] },
  ]),
  raced(2, [
    { requests: ['completion', 'cancellation'], guardOut: true },
    { requests: ['completion', 'deadline'] },
  ]),
  raced(
    2,
    [
      { requests: ['confirmation', 'cancellation'], guardOut: true },
      { requests: ['confirmation', 'deadline'] },
    ],
    'PointOfSale',
  ),
] as const;
