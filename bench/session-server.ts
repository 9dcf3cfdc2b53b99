import type { Child } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import { msSince } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import { sampleIds } from './processes/parent-requests.ts';

/** Connections that send requests at once. */
export const CONNECTIONS = 32;

/** Number of ids to fetch, and to page from. */
const NAMED = 500;

export const SESSIONS_PATH = '/v1/payment-sessions';
const SESSION = {
  amount: 1742,
  currency: 'GBP',
  customerEmail: 'bench@example.com',
  metadata: { order: '4711' },
};

/** What is measured of payment sessions. A page has ten. */
export const OPERATIONS = ['create', 'fetch', 'first page', 'later page'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Requests a second of each operation. */
export type Rates = Record<Operation, number>;

/** A server with a number of payment sessions. */
export interface SessionServer {
  /** Measures some of the operations, all by default; the rates of others are not there. */
  measure(requests: number, operations?: readonly Operation[]): Promise<Rates>;
  close(): Promise<void>;
}

/** Where a server has payment sessions, or what stands for them. */
export interface SessionTarget {
  url: string;
  secretKey: string;
  /** Path of the list. */
  path: string;
  /** Path of the first page of ten. */
  firstPage: string;
}

/** Returns the payment sessions of a server of ours. */
export function targetOf({ url, secretKey }: { url: string; secretKey: string }): SessionTarget {
  return { url, secretKey, path: SESSIONS_PATH, firstPage: SESSIONS_PATH };
}

/** Starts a server in a process of its own and fills it with `size` payment sessions. */
export async function openSessionServer(child: Child, size: number, where: object): Promise<SessionServer> {
  return orStop(child, async () => {
    const target = await startTarget(child, where);
    const order = { count: size, body: SESSION, sampleCount: NAMED };
    const ids = await child.ask<string[]>('fill', order);
    return sessionServer(target, ids, () => child.stop());
  });
}

/** Does the same with a server of another checkout, whose processes may take other orders: it is filled over HTTP. */
export async function openOtherSessionServer(
  child: Child,
  size: number,
  where: object,
): Promise<SessionServer> {
  return orStop(child, async () => {
    const target = await startTarget(child, where);
    return fillOverHttp(target, size, () => child.stop());
  });
}

async function orStop<T>(child: Child, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function startTarget(child: Child, where: object): Promise<SessionTarget> {
  const order = { ...where, withTerminal: false };
  const { url, secretKey = 'sk_sandbox_bare' } = await child.ask<Partial<OurServer> & { url: string }>(
    'start',
    order,
  );
  return targetOf({ url, secretKey });
}

/** Creates `size` sessions over HTTP. */
export async function fillOverHttp(
  target: SessionTarget,
  size: number,
  close: () => Promise<void>,
): Promise<SessionServer> {
  const ids: string[] = [];
  const create = requestText('POST', target.path, target.secretKey, SESSION);
  await withConnections(target.url, (connections) =>
    sendAll(
      connections,
      size,
      () => create,
      (reply) => ids.push(String((JSON.parse(reply) as { id: unknown }).id)),
    ),
  );
  return sessionServer(target, sampleIds(ids, NAMED), close);
}

function sessionServer(
  { url, secretKey, path, firstPage }: SessionTarget,
  ids: string[],
  close: () => Promise<void>,
): SessionServer {
  const get = (wanted: string) => requestText('GET', wanted, secretKey);
  const create = requestText('POST', path, secretKey, SESSION);
  const requestsOf: Record<Operation, (index: number) => string> = {
    create: () => create,
    fetch: (index) => get(`${path}/${ids[index % ids.length]}`),
    'first page': () => get(firstPage),
    'later page': (index) => get(`${path}?startsAfter=${ids[index % ids.length]}`),
  };
  return {
    // New connections for each round: some servers close those that rest while the others are measured.
    measure: (requests, operations = OPERATIONS) =>
      withConnections(url, async (connections) => {
        const rates = {} as Rates;
        for (const operation of operations) {
          const startNs = process.hrtime.bigint();
          await sendAll(connections, requests, requestsOf[operation]);
          rates[operation] = (requests * 1000) / msSince(startNs);
        }
        return rates;
      }),
    close,
  };
}

async function withConnections<T>(
  url: string,
  use: (connections: HttpConnection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openHttp(url)));
  try {
    return await use(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function sendAll(
  connections: HttpConnection[],
  count: number,
  request: (index: number) => string,
  received: (reply: string) => void = () => {},
): Promise<void> {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < count) received(succeeded(await connection.ask(request(next++))));
    }),
  );
}
