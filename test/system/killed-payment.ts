import { fraction, type Random } from '../../protocol/ids.ts';
import { delay } from '../../protocol/clock.ts';
import type { Json } from './http-call.ts';
import { realTime } from './patience.ts';
import type { Delivery, Receiver } from './receiver.ts';
import type { Tapbench } from './tapbench.ts';

/** When the server is killed while it takes a payment. */
export interface Moment {
  receipts: 'Terminal' | 'PointOfSale';
  /** Whether the point of sale goes on confirming copies afterwards, or is gone as well. */
  posGoesOn: boolean;
  /** So long after the payment was asked for; or at a webhook, before it is acknowledged or after. */
  at: { ms: number } | { webhook: string; acknowledged: boolean };
}

// The cardholder taps after a second; the card is read in 150 ms and all is over soon after: half of the
// moments by time fall into the time in which that happens.
const TAP_MS = 1000;
const BUSY_MS = 300;

const SEEN: Record<Moment['receipts'], string[]> = {
  Terminal: ['InProgress', 'PaymentSession.approved', 'Succeeded', 'PaymentSession.captured'],
  PointOfSale: [
    'InProgress',
    'PaymentSession.approved',
    'merchantCopy Required',
    'customerCopy Required',
    'Succeeded',
    'PaymentSession.captured',
  ],
};

/** Moments that a seed chooses: by turns for either kind of receipt, by time and by what was seen. */
export function momentsOf(random: Random, count: number): Moment[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(fraction(random) * from.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const receipts = index % 2 === 0 ? 'PointOfSale' : 'Terminal';
    const startMs = fraction(random) < 0.5 ? 0 : TAP_MS;
    const lengthMs = startMs === 0 ? TAP_MS : BUSY_MS;
    const byTime = { ms: Math.floor(startMs + fraction(random) * lengthMs) };
    const bySight = { webhook: pick(SEEN[receipts]), acknowledged: fraction(random) < 0.5 };
    return {
      receipts,
      posGoesOn: fraction(random) < 0.7,
      at: index % 4 < 2 ? bySight : byTime,
    };
  });
}

export function titleOf({ receipts, posGoesOn, at }: Moment): string {
  const when =
    'ms' in at ? `${at.ms} ms after the start` : `at ${at.webhook}${at.acknowledged ? ', acknowledged' : ''}`;
  return `${receipts} receipts, killed ${when}${posGoesOn ? '' : ', nobody confirms'}`;
}

/** What a webhook tells, in the words of `SEEN`. */
function sightOf({ event }: Delivery): string {
  if (event.eventType !== 'Terminal.action_updated') return event.eventType;
  const { status, transaction } = event.data.action;
  if (status !== 'InProgress') return status;
  const copies = Object.entries<Json>(transaction.receiptDetail);
  const required = copies.find(([, copy]) => copy.status === 'Required');
  return required ? `${required[0]} Required` : status;
}

/** Kills the server at the moment. Resolves when it is dead. */
export async function killAt(tapbench: Tapbench, receiver: Receiver, { at }: Moment): Promise<void> {
  if ('ms' in at) {
    await delay(realTime, at.ms);
    await tapbench.kill();
    return;
  }
  const from = receiver.deliveries.length;
  await new Promise<void>((resolve) => {
    // A webhook that is seen once already belongs to the payment before.
    receiver.reply = async (delivery) => {
      if (receiver.deliveries.indexOf(delivery) < from || sightOf(delivery) !== at.webhook) return 200;
      receiver.reply = () => 200;
      if (at.acknowledged) {
        setImmediate(() => void tapbench.kill().then(() => resolve()));
        return 200;
      }
      await tapbench.kill();
      resolve();
      return 'hang';
    };
  });
}

/** A point of sale that takes one payment, whatever happens to the server meanwhile. */
interface PointOfSale {
  /** The terminal as the start was answered; undefined when it was not. */
  readonly started: Json | undefined;
  /** Confirms what waits to be confirmed, and answers the terminal; undefined while nobody answers. */
  look(): Promise<Json | undefined>;
}

export function startPayment(tapbench: Tapbench, amount: number, { receipts }: Moment): PointOfSale {
  const path = `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`;
  let started: Json;
  const body = {
    amounts: { requested: amount },
    currency: 'GBP',
    settings: { receiptPrintingSource: receipts },
  };
  const asked = orNothing(tapbench.api('POST', `${path}/payment`, body)).then((answer) => {
    if (answer && answer.status !== 200)
      throw new Error(`a payment was refused: ${JSON.stringify(answer.body)}`);
    started = answer?.body;
  });
  return {
    get started() {
      return started;
    },
    async look() {
      await asked;
      const seen = await orNothing(tapbench.api('GET', path));
      const { merchantCopy, customerCopy } = seen?.body.action?.transaction.receiptDetail ?? {};
      for (const [name, copy] of Object.entries({ merchantCopy, customerCopy })) {
        if (copy?.status !== 'Required') continue;
        await orNothing(tapbench.api('POST', `${path}/confirm-receipt`, { [name]: { status: 'Succeeded' } }));
      }
      return seen?.body;
    },
  };
}

/** Undefined when the server dies before it has answered. */
export function orNothing<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch(() => undefined);
}
