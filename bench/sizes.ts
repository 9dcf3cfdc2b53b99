import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { startChild, type Child } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import { alternate, median, msSince, spreadOf, type Round } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { Result } from './report.ts';

const SIZES = [1_000, 100_000] as const;
const CONNECTIONS = 32;

/** Number of ids to fetch, and to page from. */
const NAMED = 500;

/** Minimum rate with many objects relative to few: the cost of a lookup may only grow with the depth of an index. */
const GROWTH_MIN = 0.7;

const PATH = '/v1/payment-sessions';
const SESSION = {
  amount: 1742,
  currency: 'GBP',
  customerEmail: 'bench@example.com',
  metadata: { order: '4711' },
};

const OPERATIONS = ['create', 'fetch', 'first page', 'later page'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Requests a second of each deed. */
type Rates = Record<Operation, number>;

/** A server with `size` payment sessions. */
interface Side {
  size: number;
  measure(requests: number): Promise<Rates>;
  close(): Promise<void>;
}

/** Measures creating, fetching and listing payment sessions among a thousand and a hundred thousand. */
export async function benchSizes({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, requests] = quick ? [3, 300] : [5, 600];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const sides: Side[] = [];
  try {
    const bare: Side[] = [];
    const ours: Side[] = [];
    for (const size of SIZES) {
      bare.push(await openSide(startChild('bare-http'), size, { path: join(folder, `bare-${size}.log`) }));
      sides.push(bare.at(-1)!);
      const dataDir = join(folder, `ours-${size}`);
      ours.push(await openSide(startChild('our-server', { profileDir }), size, { dataDir }));
      sides.push(ours.at(-1)!);
    }
    const all = async (which: Side[]) => {
      const rates: Rates[] = [];
      for (const side of which) rates.push(await side.measure(requests));
      return rates;
    };
    const taken = await alternate(
      rounds,
      () => all(bare),
      () => all(ours),
    );
    const what = `${taken.length} rounds of ${requests} requests of each kind over ${CONNECTIONS} connections`;
    return SIZES.flatMap((size, index) =>
      OPERATIONS.map((operation) => resultOf(taken, { operation, size, index, what })),
    );
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(
  taken: Round<Rates[], Rates[]>[],
  { operation, size, index, what }: { operation: Operation; size: number; index: number; what: string },
): Result {
  const rate = (rates: Rates[]) => rates[index]![operation];
  const growth = median(taken.map(({ ours }) => rate(ours) / ours[0]![operation]));
  const most = index > 0;
  return {
    name: `sessions: ${operation}, of ${size.toLocaleString('en-GB')}`,
    unit: '/s',
    ours: median(taken.map(({ ours }) => rate(ours))),
    bare: median(taken.map(({ bare }) => rate(bare))),
    ratio: spreadOf(taken.map(({ ours, bare }) => rate(ours) / rate(bare))),
    aim: most ? `at least ${GROWTH_MIN} of 1,000` : null,
    met: most ? growth >= GROWTH_MIN : null,
    details: most
      ? [`${growth.toFixed(2)} of what it is with ${SIZES[0].toLocaleString('en-GB')}, in the same rounds`]
      : [what, 'bare: node:http, a Map and an array; what it lists is what it was sent, without a window'],
  };
}

async function openSide(child: Child, size: number, where: object): Promise<Side> {
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
      size,
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
