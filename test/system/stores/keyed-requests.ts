import { delay } from '../../../protocol/clock.ts';
import type { Answer } from '../kit/http-call.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime } from '../kit/wait-for.ts';

/** Between two attempts at a request. */
const RETRY_MS = 50;

/** What became of attempts. */
interface AttemptCounts {
  /** Answered for good: done, or refused by the state of things. */
  answered: number;
  /** Of those, given by an attempt that repeated the answer of an earlier one. */
  replayed: number;
  /** The connection ended before the reply. */
  lost: number;
  /** The server could not be reached. */
  away: number;
  /** Answered 5xx, such as 503 while the database is away. */
  unavailable: number;
  /** Answered 409, since the server that worked on it was killed. */
  inUse: number;
}

/** Sends requests to servers on one store until each has an answer, a POST with an idempotency key. */
export interface KeyedRequests {
  post(path: string, body: object, key: string): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Attempts of POSTs. */
  readonly counts: AttemptCounts;
  /** Attempts that were made again. */
  repeated(): number;
  /** POSTs to a server that have no reply yet, by their paths. */
  underWay(server: Tapbench): readonly string[];
  /** Called with the server when a POST has been sent to it. */
  onSent: (server: Tapbench) => void;
}

/** @param servers each attempt goes to the next of them */
export function createKeyedRequests(servers: readonly Tapbench[]): KeyedRequests {
  const counts: AttemptCounts = { answered: 0, replayed: 0, lost: 0, away: 0, unavailable: 0, inUse: 0 };
  const sent = new Map<Tapbench, string[]>(servers.map((server) => [server, []]));
  let attempts = 0;

  async function attempt(path: string, body: object, key: string): Promise<Answer | 'lost' | 'away'> {
    const server = servers[attempts++ % servers.length]!;
    const paths = sent.get(server)!;
    paths.push(path);
    try {
      const answer = server.api('POST', path, body, { 'idempotency-key': key });
      requests.onSent(server);
      return await answer;
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'away' : 'lost';
    } finally {
      paths.splice(paths.indexOf(path), 1);
    }
  }

  const requests: KeyedRequests = {
    counts,
    repeated: () => counts.lost + counts.away + counts.unavailable + counts.inUse,
    underWay: (server) => [...sent.get(server)!],
    onSent: () => undefined,
    async post(path, body, key) {
      for (;;) {
        const answer = await attempt(path, body, key);
        if (answer === 'lost' || answer === 'away') counts[answer] += 1;
        else if (answer.status >= 500) counts.unavailable += 1;
        else if (answer.status === 409 && answer.headers['retry-after'] !== undefined) counts.inUse += 1;
        else {
          counts.answered += 1;
          if (answer.headers['idempotent-replayed']) counts.replayed += 1;
          return answer;
        }
        await delay(realTime, RETRY_MS);
      }
    },
    async get(path) {
      for (;;) {
        const server = servers[attempts++ % servers.length]!;
        const answer = await server.api('GET', path).catch(() => undefined);
        if (answer && answer.status < 500) return answer;
        await delay(realTime, RETRY_MS);
      }
    },
  };
  return requests;
}
