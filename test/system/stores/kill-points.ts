import { fraction, type Random } from '../../../protocol/ids.ts';
import { delay } from '../../../protocol/clock.ts';
import type { Json } from '../kit/http-call.ts';
import { realTime } from '../kit/wait-for.ts';
import type { Delivery, Receiver } from '../kit/receiver.ts';
import type { Tapbench } from '../kit/tapbench.ts';

/** The moment at which the server is killed during a payment. */
export interface KillPoint {
  receipts: 'Terminal' | 'PointOfSale';
  /** Whether the point of sale continues to confirm copies after the kill. */
  pointOfSaleContinues: boolean;
  /** Milliseconds after the request of the payment; or at a webhook, before or after it is acknowledged. */
  at: { ms: number } | { webhook: string; acknowledged: boolean };
}

// The cardholder taps after a second, the card is read in 150 ms, and the payment ends soon after: half of the
// kill points by time are in that interval.
const TAP_MS = 1000;
const BUSY_MS = 300;

const WEBHOOKS: Record<KillPoint['receipts'], string[]> = {
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

/** Seeded kill points: alternating between both kinds of receipts, and between times and webhooks. */
export function killPoints(random: Random, count: number): KillPoint[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(fraction(random) * from.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const receipts = index % 2 === 0 ? 'PointOfSale' : 'Terminal';
    const startMs = fraction(random) < 0.5 ? 0 : TAP_MS;
    const lengthMs = startMs === 0 ? TAP_MS : BUSY_MS;
    const byTime = { ms: Math.floor(startMs + fraction(random) * lengthMs) };
    const byWebhook = { webhook: pick(WEBHOOKS[receipts]), acknowledged: fraction(random) < 0.5 };
    return {
      receipts,
      pointOfSaleContinues: fraction(random) < 0.7,
      at: index % 4 < 2 ? byWebhook : byTime,
    };
  });
}

export function titleOf({ receipts, pointOfSaleContinues, at }: KillPoint): string {
  const when =
    'ms' in at ? `${at.ms} ms after the start` : `at ${at.webhook}${at.acknowledged ? ', acknowledged' : ''}`;
  return `${receipts} receipts, killed ${when}${pointOfSaleContinues ? '' : ', no confirmation'}`;
}

/** The name of a webhook in `WEBHOOKS`. */
function webhookOf({ event }: Delivery): string {
  if (event.eventType !== 'Terminal.action_updated') return event.eventType;
  const { status, transaction } = event.data.action;
  if (status !== 'InProgress') return status;
  const copies = Object.entries<Json>(transaction.receiptDetail);
  const required = copies.find(([, copy]) => copy.status === 'Required');
  return required ? `${required[0]} Required` : status;
}

/** Kills a process at the kill point. Resolves when it has ended. */
export async function killAt(
  process: { kill(): Promise<unknown> },
  receiver: Receiver,
  { at }: Pick<KillPoint, 'at'>,
): Promise<void> {
  if ('ms' in at) {
    await delay(realTime, at.ms);
    await process.kill();
    return;
  }
  const from = receiver.deliveries.length;
  await new Promise<void>((resolve) => {
    // Webhooks delivered before belong to an earlier payment.
    receiver.reply = async (delivery) => {
      if (receiver.deliveries.indexOf(delivery) < from || webhookOf(delivery) !== at.webhook) return 200;
      receiver.reply = () => 200;
      if (at.acknowledged) {
        setImmediate(() => void process.kill().then(() => resolve()));
        return 200;
      }
      receiver.reply = () => 200;
      await process.kill();
      resolve();
      // The connection of a killed server is closed by now; another server gets its answer.
      return 200;
    };
  });
}

/** A point of sale that takes one payment while the server may be killed. */
interface PointOfSale {
  /** The terminal in the response to the start; undefined without one. */
  readonly started: Json | undefined;
  /** Confirms required copies and returns the terminal; undefined while the server is down. */
  poll(): Promise<Json | undefined>;
}

export function startPayment(tapbench: Tapbench, amount: number, { receipts }: KillPoint): PointOfSale {
  const path = `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`;
  let started: Json;
  const body = {
    amounts: { requested: amount },
    currency: 'GBP',
    settings: { receiptPrintingSource: receipts },
  };
  const startCall = orUndefined(tapbench.api('POST', `${path}/payment`, body)).then((answer) => {
    if (answer && answer.status !== 200)
      throw new Error(`a payment was refused: ${JSON.stringify(answer.body)}`);
    started = answer?.body;
  });
  return {
    get started() {
      return started;
    },
    async poll() {
      await startCall;
      const seen = await orUndefined(tapbench.api('GET', path));
      const { merchantCopy, customerCopy } = seen?.body.action?.transaction.receiptDetail ?? {};
      for (const [name, copy] of Object.entries({ merchantCopy, customerCopy })) {
        if (copy?.status !== 'Required') continue;
        await orUndefined(
          tapbench.api('POST', `${path}/confirm-receipt`, { [name]: { status: 'Succeeded' } }),
        );
      }
      return seen?.body;
    },
  };
}

/** Resolves with undefined when the call fails because the server is killed. */
export function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch(() => undefined);
}
