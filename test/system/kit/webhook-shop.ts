import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Json } from '../../../cli/drills/stage.ts';
import { delay, SystemClock } from '../../../protocol/clock.ts';
import { listenOn } from '../../../server/platform/listen.ts';

/** What a receiver of webhooks does wrong. */
const RECEIVER_DEFECTS = [
  'no signature check',
  'comparison of another body',
  'not idempotent',
  'not idempotent at the same moment',
  'order by arrival',
  'slow',
  'follows nothing',
  '3xx',
  '500 then right',
  'acknowledges before it stores',
  'chokes on an unknown type',
  'chokes on a large body',
] as const;
export type ReceiverDefect = (typeof RECEIVER_DEFECTS)[number];

interface WebhookShop {
  url: string;
  books: string;
  /** Says what signs its events. */
  know(secret: string): void;
  close(): Promise<void>;
}

const clock = new SystemClock();
/** Longer than an endpoint may take. */
const SLOW_MS = 10_500;
const SHORT_MS = 200;
const BODY_MAX = 100_000;

interface Order {
  orderId: string;
  paid: boolean;
  amount: number;
}

/** Starts a shop that books what the events of its endpoint say, with one defect or none. */
export async function startWebhookShop(defect?: ReceiverDefect): Promise<WebhookShop> {
  let secret = '';
  const orders = new Map<string, Order>();
  const seen = new Set<string>();
  const has = (one: ReceiverDefect) => defect === one;

  const isSigned = (body: string, signature: unknown) => {
    if (has('no signature check')) return true;
    const signed = has('comparison of another body') ? JSON.stringify(JSON.parse(body)) : body;
    return createHmac('sha256', secret).update(signed).digest('hex') === signature;
  };

  async function book({ id, eventType, data }: Json): Promise<void> {
    const { orderId } = data.metadata ?? {};
    if (orderId === undefined) return;
    const order = orders.get(orderId) ?? { orderId, paid: false, amount: 0 };
    if (eventType === 'PaymentSession.approved') {
      // Defect: what arrives last is taken for what happened last.
      orders.set(orderId, { ...order, paid: has('order by arrival') ? false : order.paid });
      return;
    }
    if (eventType !== 'PaymentSession.captured') return;
    if (has('not idempotent at the same moment')) {
      if (seen.has(id)) return;
      await delay(clock, SHORT_MS);
    }
    // Defect of the first: an event that comes again is booked again.
    if (!has('not idempotent') && !has('not idempotent at the same moment') && seen.has(data.id)) return;
    seen.add(data.id);
    seen.add(id);
    const booked = orders.get(orderId)?.amount ?? 0;
    orders.set(orderId, { orderId, paid: true, amount: booked + data.amount });
  }

  const attempts = new Map<string, number>();

  /** Returns the status to reply with. */
  async function handle(body: string, signature: unknown): Promise<number> {
    if (has('chokes on a large body') && body.length > BODY_MAX) return 413;
    if (has('slow')) await delay(clock, SLOW_MS);
    if (has('3xx')) return 302;
    let event: Json;
    try {
      if (!isSigned(body, signature)) return 400;
      event = JSON.parse(body);
    } catch {
      return 400;
    }
    const tries = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, tries);
    if (has('500 then right') && tries === 1) return 500;
    if (has('chokes on an unknown type') && event.eventType.startsWith('Example.')) return 500;
    if (has('follows nothing')) return 200;
    if (has('acknowledges before it stores')) void delay(clock, SHORT_MS).then(() => book(event));
    else await book(event);
    return 200;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/books') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ orders: [...orders.values()] }));
      return;
    }
    const status = await handle(await text(request), request.headers['signature']);
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {});
    response.end();
  }

  const http = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  const { port } = await listenOn(http, { host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/hook`,
    books: `${origin}/books`,
    know: (told) => void (secret = told),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
