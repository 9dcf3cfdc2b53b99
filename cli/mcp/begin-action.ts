import { requestOf, type Input, type SentBody, type Reply } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
type Terminal = Reply<'GET /v1/in-person/terminals/{id}'>;
import { checkedByServer, refused, type ServerApi } from '../client/api-client.ts';
import { chooseTerminal } from '../client/terminal-choice.ts';
import { cardholderActOf, readAction, redirectCardholder, type Cardholder } from './attend-action.ts';
import type { BegunActions, KnownRefund, StartedAction } from './begun-actions.ts';

/** What the cardholder of an action does, and how long to wait for its outcome. */
export interface Attendance extends Cardholder {
  waitSeconds?: number | undefined;
}

/** An action that was begun, and why its cardholder could not be told what to do, where that was so. */
export interface BegunAction extends StartedAction {
  problem?: string | undefined;
}

interface Order {
  orderId: string;
  amount: number;
  currency: string;
}

/**
 * Begins the payment of an order on a terminal, or returns the one that has the order in its metadata.
 * @throws Fault `bad_setting` when that one is of another amount
 */
export async function beginPayment(
  api: ServerApi,
  order: Order,
  terminal: string | undefined,
  attendance: Attendance,
): Promise<BegunAction> {
  const cardholder = cardholderIn(attendance);
  const known = await findPayment(api, order.orderId);
  if (known) return resume(api, refuseOther(known, order), cardholder);
  const terminalId = await chooseTerminal(api, terminal);
  const act = cardholderActOf(cardholder);
  const { amount, currency, orderId } = order;
  const body = {
    amounts: { requested: amount },
    currency: checkedByServer<SentBody<'POST /v1/in-person/terminals/{id}/payment'>['currency']>(currency),
    paymentSession: { metadata: { orderId } },
  };
  // With a card of its own the payment begins together with what its cardholder does.
  const params = { id: terminalId };
  try {
    return startedBy(
      act
        ? await api.call('POST /sandbox/terminals/{id}/payment', {
            params,
            body: { ...body, cardholder: act },
            untilEnd: true,
          })
        : await api.call('POST /v1/in-person/terminals/{id}/payment', { params, body, untilEnd: true }),
    );
  } catch (thrown) {
    // It may have begun although no reply says so.
    const begun = await findPayment(api, orderId).catch(() => undefined);
    if (begun) return begun;
    throw thrown;
  }
}

function refuseOther<P extends { amount: number; currency: string }>(
  payment: P,
  { orderId, amount, currency }: Order,
): P {
  if (payment.amount === amount && payment.currency === currency) return payment;
  const text = `orderId ${orderId} was used for a payment of ${payment.amount} ${payment.currency}: use a new one`;
  throw new Fault('bad_setting', text);
}

const REFUND = 'POST /sandbox/terminals/{id}/refund';

interface Refund {
  refundId: string;
  paymentSessionId: string;
  amount: number | undefined;
}

/**
 * Returns what is remembered of a refund, which is new where nothing is.
 * @throws Fault `bad_setting` when its id was used for another
 */
export function knownRefund(
  { refunds }: BegunActions,
  name: string,
  { refundId, paymentSessionId, amount }: Refund,
): KnownRefund {
  const known = refunds.get(name) ?? { paymentSessionId, amount, begun: undefined, refusals: 0 };
  if (known.begun && (known.paymentSessionId !== paymentSessionId || known.amount !== amount))
    throw new Fault('bad_setting', `refundId ${refundId} was used for another refund: use a new one`);
  refunds.set(name, known);
  return known;
}

/**
 * Begins a refund on a terminal, or returns the one that was begun with the same id. A refund at a terminal has no metadata: its id
 * is the idempotency key of a request under /sandbox, where keys always work, so that it is begun once also when this
 * process is started again.
 */
export async function beginRefund(
  api: ServerApi,
  known: KnownRefund,
  { refundId, paymentSessionId, amount }: Refund,
  { terminal, attendance }: { terminal: string | undefined; attendance: Attendance },
): Promise<BegunAction> {
  const cardholder = cardholderIn(attendance);
  if (known.begun) return resume(api, known.begun, cardholder);
  const params = { id: await chooseTerminal(api, terminal) };
  const act = cardholderActOf(cardholder);
  const body = {
    paymentSession: { id: paymentSessionId },
    ...(amount !== undefined && { amount }),
    ...(act && { cardholder: act }),
  };
  const idempotencyKey = `mcp refund ${refundId}${known.refusals > 0 ? ` ${known.refusals}` : ''}`;
  const answer = await api.answer(REFUND, { params, body, idempotencyKey, untilEnd: true });
  if (answer.ok) {
    known.begun = startedBy(answer.body);
    return known.begun;
  }
  if (answer.status === 422)
    throw new Fault('bad_setting', `refundId ${refundId} was used with other inputs: call it with those`);
  if (answer.status < 500) known.refusals += 1;
  const { method, path } = requestOf(REFUND, { params });
  throw refused(method, path, answer, api);
}

/** Goes on with an action that was begun earlier, with what the cardholder does now if it is in progress. */
async function resume(api: ServerApi, begun: StartedAction, cardholder: Cardholder): Promise<BegunAction> {
  const { status } = await readAction(api, begun);
  const { terminalId, actionId } = begun;
  const problem = status === 'InProgress' ? await redirectCardholder(api, begun, cardholder) : undefined;
  return { terminalId, actionId, problem };
}

const startedBy = ({ id, action }: Terminal): StartedAction => ({ terminalId: id, actionId: action!.id });

const cardholderIn = ({ card, entryMode, pin }: Attendance): Cardholder => ({ card, entryMode, pin });

interface FoundPayment extends StartedAction {
  amount: number;
  currency: string;
}

// The most that /sandbox/objects searches for.
const TEXT_MAX = 200;

/** Returns the payment at a terminal that has this order in its metadata; undefined when none was started. */
async function findPayment(api: ServerApi, orderId: string): Promise<FoundPayment | undefined> {
  // As the metadata is stored. What is longer is cut, and compared below.
  const text = JSON.stringify({ orderId }).slice(1, -1).slice(0, TEXT_MAX);
  for (const id of await idsOf(api, { type: 'paymentSession', text })) {
    const session = await api.call('GET /v1/payment-sessions/{paymentSessionId}', {
      params: { paymentSessionId: id },
    });
    if (session.metadata?.orderId !== orderId) continue;
    const [actionId] = await idsOf(api, { type: 'action', object: id, category: 'Payment' });
    if (actionId === undefined) continue;
    const { names } = await api.call('GET /sandbox/objects/{id}', { params: { id: actionId } });
    const terminalId = names.find((named) => named.id.startsWith('tml_'))!.id;
    return { terminalId, actionId, amount: session.amount, currency: session.currency };
  }
  return undefined;
}

type Page = Reply<'GET /sandbox/objects'>;

/** Returns the ids of all objects that fit, newest first. */
async function idsOf(api: ServerApi, filters: Input<'GET /sandbox/objects'>['query']): Promise<string[]> {
  const ids: string[] = [];
  for (let startsAfter: string | undefined; ;) {
    const page: Page = await api.call('GET /sandbox/objects', {
      query: { ...filters, limit: 50, startsAfter },
    });
    ids.push(...page.items.map(({ id }) => id));
    if (!page.paginationToken) return ids;
    startsAfter = page.paginationToken;
  }
}
