import { Fault } from '../../../protocol/failures.ts';
import { numberWith } from '../../../protocol/test-cards.ts';
import type { FaultAt } from '../../../server/platform/faults/cut-points.ts';
import type { Delivery } from '../../../server/platform/outbox/delivery.schema.ts';
import type { ShopOrder } from '../../../world/verdicts/hunt-facts.ts';
import type { ServerApi } from '../../client/api-client.ts';
import type { SeenDelivery } from './seen-delivery.ts';

/** The event that says that a payment was taken. */
const CAPTURED = 'PaymentSession.captured';
/** The event before it. */
export const APPROVED = 'PaymentSession.approved';

interface EventFault {
  what: FaultAt<'webhook.attempt'>;
  delayMs?: number;
  when?: { untilAttempt?: number; times?: number };
}

interface Sale {
  /** What happens to the event; nothing when undefined. */
  fault?: EventFault | undefined;
  /** The event that the fault strikes; `CAPTURED` by default. The one that is watched is always `CAPTURED`. */
  struck?: typeof CAPTURED | typeof APPROVED;
  /** How many attempts are awaited at least; 1 by default. */
  attempts?: number;
  /** Whether the first attempt alone is awaited. */
  onlyFirst?: boolean;
}

/** Sells at one webhook endpoint, and watches what it does. */
export interface EndpointBench {
  /** Takes an online payment, and follows its event to the endpoint. @throws Fault when the fault did not strike */
  sell(sale?: Sale): Promise<SeenDelivery>;
}

interface BenchParts {
  api: ServerApi;
  /** The same API, also once the command was interrupted. */
  cleanUp: ServerApi;
  /** Of the plans of faults. */
  title: string;
  webhook: { id: string; eventTypes: readonly string[] };
  /** Order and amount of the sale. */
  order: { orderId: string; amount: number };
  /** Reads the books of the shop; undefined when there are none to read. */
  readBooks: (() => Promise<readonly ShopOrder[]>) | undefined;
  /** How long the endpoint gets to end its work, milliseconds. */
  quietMs: number;
  sleep(ms: number): Promise<void>;
}

const CURRENCY = 'GBP' as const;
const CUSTOMER = 'customer@example.com';
const POLL_MS = 20;
// Two attempts that nothing replies to in ten seconds, and what they wait for on a busy machine.
const ATTEMPTS_MS_MAX = 45_000;
/** From the second attempt to the fourth, by the schedule of attempts. */
const SCHEDULE_SECONDS = 600;
/** After these an event is given up. */
const ATTEMPTS_MAX = 4;

export function createEndpointBench(parts: BenchParts): EndpointBench {
  const { api, cleanUp, title, webhook, order, readBooks, quietMs, sleep } = parts;
  const booked = async () => (await readBooks?.())?.find(({ orderId }) => orderId === order.orderId);

  async function pay(): Promise<string> {
    const metadata = { orderId: order.orderId };
    const body = { amount: order.amount, currency: CURRENCY, customerEmail: CUSTOMER, metadata };
    const { id, clientSecret } = await api.call('POST /v1/payment-sessions', { body });
    const cardDetails = {
      number: numberWith('frictionless'),
      expiryMonth: '12',
      expiryYear: '2040',
      cvc: '123',
    };
    await api.call('POST /v1/payment-sessions/attempt-payment', { body: { clientSecret, cardDetails } });
    return id;
  }

  async function deliveryOf(sessionId: string): Promise<Delivery | undefined> {
    const query = { object: sessionId, endpoint: webhook.id, event: CAPTURED };
    const { items } = await api.call('GET /sandbox/deliveries', { query });
    const deliveryId = items[0]?.id;
    if (deliveryId === undefined) return undefined;
    return api.call('GET /sandbox/deliveries/{deliveryId}', { params: { deliveryId } });
  }

  /** Resolves with the delivery once `isDone`, or when real time or attempts are over. */
  async function follow(sessionId: string, isDone: (delivery: Delivery) => boolean): Promise<Delivery> {
    let isAdvanced = false;
    let latest: Delivery | undefined;
    for (let waitedMs = 0; waitedMs < ATTEMPTS_MS_MAX; waitedMs += POLL_MS) {
      latest = await deliveryOf(sessionId);
      if (latest && (isDone(latest) || latest.attempts >= ATTEMPTS_MAX)) return latest;
      // The third attempt is a minute after the second.
      if (latest?.status === 'Retrying' && latest.attempts >= 2 && !isAdvanced) {
        isAdvanced = true;
        await api.call('POST /sandbox/clock/advance', { body: { seconds: SCHEDULE_SECONDS } });
      }
      await sleep(POLL_MS);
    }
    if (latest && latest.attemptLog.length > 0) return latest;
    throw new Fault('timed_out', `no ${CAPTURED} was sent to the endpoint`);
  }

  return {
    async sell({ fault, struck = CAPTURED, attempts = 1, onlyFirst = false } = {}) {
      const missing = [CAPTURED, struck].find((type) => !webhook.eventTypes.includes(type));
      if (missing) throw new Fault('bad_setting', `the endpoint is not registered for ${missing}`);
      const when = { eventType: struck, id: webhook.id, nth: 1, ...fault?.when };
      const planned = fault && ({ ...fault, at: 'webhook.attempt', when } as const);
      const plan =
        planned && (await api.call('POST /sandbox/faults', { body: { title, faults: [planned] } }));
      try {
        const sessionId = await pay();
        const isEnough = (delivery: Delivery) => delivery.attemptLog.length >= attempts;
        const isDelivered = ({ status }: Delivery) => status === 'Delivered';
        const delivery = await follow(
          sessionId,
          (seen) => isEnough(seen) && (onlyFirst || isDelivered(seen) || seen.status === 'Failed'),
        );
        const atReply = await booked();
        await sleep(quietMs);
        if (plan) await assertStruck(api, plan.id);
        const books = readBooks && { atReply, later: await booked() };
        return {
          amount: order.amount,
          attempts: delivery.attemptLog,
          isDelivered: isDelivered(delivery),
          ...(books && { books }),
        };
      } finally {
        if (plan) await cleanUp.call('DELETE /sandbox/faults/{id}', { params: { id: plan.id } });
      }
    },
  };
}

/** @throws Fault when a plan has struck nothing */
async function assertStruck(api: ServerApi, id: string): Promise<void> {
  const { struck } = await api.call('GET /sandbox/faults/{id}', { params: { id } });
  if (struck === 0) throw new Fault('timed_out', 'the fault of this case did not strike');
}
