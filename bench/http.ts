import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { openHttp, requestText, succeeded, type HttpConnection } from './http-connection.ts';
import { alternate, median, msSince, spreadOf } from './measure.ts';
import type { OurServer } from './processes/our-server.ts';
import type { Result } from './report.ts';

const CONNECTIONS = 32;
const RATIO_MIN = 0.5;

const LOCATION = {
  name: 'Bench Shop',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
  geoCoordinates: { latitude: 51.5, longitude: -0.1 },
  metadata: { till: '7' },
};
const PATH = '/v1/in-person/locations';

/** Measures creating and fetching a location over HTTP; the create is durable before the reply. */
export async function benchHttp({ quick, profileDir }: BenchOptions): Promise<Result[]> {
  const [rounds, pairs] = quick ? [3, 2_000] : [7, 6_000];
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const bareChild = startChild('bare-http');
  const ourChild = startChild('our-server', { profileDir });
  try {
    const bare = await bareChild.ask<{ url: string }>('start', { path: join(folder, 'bare.log') });
    const ours = await ourChild.ask<OurServer>('start', {
      dataDir: join(folder, 'ours'),
      withTerminal: false,
    });
    const [toBare, toOurs] = [await openAll(bare.url), await openAll(ours.url)];
    const taken = await alternate(
      rounds,
      () => createAndFetch(toBare, 'sk_sandbox_bare', pairs),
      () => createAndFetch(toOurs, ours.secretKey, pairs),
    );
    for (const connection of [...toBare, ...toOurs]) connection.close();
    const ratio = spreadOf(taken.map((round) => round.ours / round.bare));
    return [
      {
        name: 'http: durable create + fetch',
        unit: '/s',
        ours: median(taken.map((round) => round.ours)),
        bare: median(taken.map((round) => round.bare)),
        ratio,
        aim: `at least ${RATIO_MIN} of bare`,
        met: ratio.median >= RATIO_MIN,
        details: [
          `requests a second over ${CONNECTIONS} connections, ${taken.length} rounds of ${pairs} creates and ${pairs} fetches`,
          'bare: node:http, a Map, one fdatasync for all that wait for it',
        ],
      },
    ];
  } finally {
    await Promise.all([bareChild.stop(), ourChild.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openAll(url: string): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => openHttp(url)));
}

/** Returns requests per second. Each connection alternates a create and a fetch until all pairs are done. */
async function createAndFetch(connections: HttpConnection[], key: string, pairs: number): Promise<number> {
  const create = requestText('POST', PATH, key, LOCATION);
  let left = pairs;
  const startNs = process.hrtime.bigint();
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) {
        const created = succeeded(await connection.ask(create));
        const id = /"id":"([^"]+)"/.exec(created)?.[1];
        const fetched = succeeded(await connection.ask(requestText('GET', `${PATH}/${id}`, key)));
        if (!fetched.includes(id!)) throw new Error('fetched something else than was created');
      }
    }),
  );
  return (2 * pairs * 1000) / msSince(startNs);
}
