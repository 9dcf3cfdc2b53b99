import type { Child } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import { msSince } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';

/** Connections that send requests at once. */
export const CONNECTIONS = 32;

/** Number of ids to fetch, and to page from. */
const NAMED = 500;

const PATH = '/v1/payment-sessions';
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

/** A server with a number of payment sessions, and connections to it. */
export interface SessionServer {
  measure(requests: number): Promise<Rates>;
  close(): Promise<void>;
}

/** Starts a server in a process of its own and fills it with `size` payment sessions. */
export async function openSessionServer(child: Child, size: number, where: object): Promise<SessionServer> {
  try {
    const { url, secretKey = 'sk_sandbox_bare' } = await child.ask<Partial<OurServer> & { url: string }>(
      'start',
      { ...where, withTerminal: false },
    );
    const ids = await child.ask<string[]>('fill', {
      count: size,
      body: SESSION,
      sampleCount: NAMED,
    });
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openHttp(url)));
    const get = (path: string) => requestText('GET', PATH + path, secretKey);
    const create = requestText('POST', PATH, secretKey, SESSION);
    const requestsOf: Record<Operation, (index: number) => string> = {
      create: () => create,
      fetch: (index) => get(`/${ids[index % ids.length]}`),
      'first page': () => get(''),
      'later page': (index) => get(`?startsAfter=${ids[index % ids.length]}`),
    };
    return {
      async measure(requests) {
        const rates = {} as Rates;
        for (const operation of OPERATIONS)
          rates[operation] = await rateOf(connections, requests, requestsOf[operation]);
        return rates;
      },
      async close() {
        for (const connection of connections) connection.close();
        await child.stop();
      },
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function rateOf(
  connections: HttpConnection[],
  count: number,
  request: (index: number) => string,
): Promise<number> {
  let next = 0;
  const startNs = process.hrtime.bigint();
  await Promise.all(
    connections.map(async (connection) => {
      while (next < count) succeeded(await connection.ask(request(next++)));
    }),
  );
  return (count * 1000) / msSince(startNs);
}
