import { openHttp, requestText, succeeded } from '../http-connection.ts';
import { msSince, pauseMs } from '../measure.ts';
import { handleParentRequests } from './parent-requests.ts';

/** A request that is sent again and again. */
export interface ProbedRequest {
  name: string;
  url: string;
  path: string;
  key: string;
}

/** The longest time that each request took to be answered, milliseconds, by name. */
export type LongestGaps = Record<string, number>;

const EVERY_MS = 5;

let probing: { end: boolean; gaps: LongestGaps; done: Promise<unknown> } | undefined;

handleParentRequests({
  /** Sends each request every few milliseconds, one at a time over a connection of its own. */
  begin(requests: ProbedRequest[]) {
    const gaps: LongestGaps = {};
    const state = { end: false, gaps, done: Promise.resolve() as Promise<unknown> };
    state.done = Promise.all(requests.map((request) => probe(request, state)));
    probing = state;
  },
  async end(): Promise<LongestGaps> {
    probing!.end = true;
    await probing!.done;
    return probing!.gaps;
  },
});

async function probe(
  { name, url, path, key }: ProbedRequest,
  state: { readonly end: boolean; gaps: LongestGaps },
): Promise<void> {
  const connection = await openHttp(url);
  const request = requestText('GET', path, key);
  while (!state.end) {
    const startNs = process.hrtime.bigint();
    succeeded(await connection.ask(request));
    state.gaps[name] = Math.max(state.gaps[name] ?? 0, msSince(startNs));
    await pauseMs(EVERY_MS);
  }
  connection.close();
}
