import { expect } from 'vitest';
import { monotonicMs } from '../../../protocol/clock.ts';
import { fraction, type Random } from '../../../protocol/ids.ts';
import type { Answer, Json } from '../kit/http-call.ts';
import { undocumentedReplies } from './documented-replies.ts';
import type { RacingShop } from './racing-shop.ts';

/** A request of a race. */
export interface RacedRequest {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/** A request with what came back. */
export interface Raced<R extends RacedRequest = RacedRequest> {
  request: R;
  status: number;
  body: Json;
  /** Of a refusal: its status and message. */
  refusal?: string;
}

/** One round of a race: requests about the same objects, which are sent at once. */
interface Round<R extends RacedRequest> {
  requests: readonly R[];
  /** Compares what came back, and what is stored, with the rules. Called when all requests are answered. */
  check(raced: readonly Raced<R>[]): Promise<void>;
}

/** A race about one rule. */
export interface Race {
  name: string;
  /** Prepares a round of so many requests, and runs it. */
  run(shop: RacingShop, count: number): Promise<RoundCounts>;
}

/** What happened in a round. */
interface RoundCounts {
  requests: number;
  /** Requests that were under way at the same instant, at most. */
  atOnce: number;
  /** How many got each reply: the status, and the message of a refusal without its numbers. */
  replies: Map<string, number>;
}

/** Declares a race. `prepare` makes the objects of a round with so many requests, and those requests. */
export function race<R extends RacedRequest>(
  name: string,
  prepare: (shop: RacingShop, count: number) => Promise<Round<R>>,
): Race {
  return {
    name,
    async run(shop, count) {
      const { requests, check } = await prepare(shop, count);
      if (requests.length !== count) throw new Error(`${name}: ${requests.length} requests, not ${count}`);
      const sent = await sendAtOnce(shop, shuffled(requests, shop.random));
      expect(undocumentedReplies(sent)).toEqual([]);
      const faults = sent.filter(({ status }) => status >= 500).map(describe);
      const logs = faults.length === 0 ? [] : shop.servers.map(({ child }) => child.stderr);
      expect([...faults, ...logs]).toEqual([]);
      await check(sent);
      await shop.checkLedger();
      return { requests: count, atOnce: mostAtOnce(sent), replies: countReplies(sent) };
    },
  };
}

interface Sent<R extends RacedRequest> extends Raced<R> {
  sentMs: number;
  answeredMs: number;
}

/** Sends requests to the servers in turn, without waiting for a reply. */
function sendAtOnce<R extends RacedRequest>({ servers }: RacingShop, requests: readonly R[]) {
  return Promise.all(
    requests.map(async (request, index): Promise<Sent<R>> => {
      const { method, path, body, headers } = request;
      const sentMs = monotonicMs();
      const answer = await servers[index % servers.length]!.api(method, path, body, headers);
      const refusal = refusalOf(answer);
      const { status, body: reply } = answer;
      return { request, status, body: reply, ...(refusal && { refusal }), sentMs, answeredMs: monotonicMs() };
    }),
  );
}

export function refusalOf({ status, body }: Pick<Answer, 'status' | 'body'>): string | undefined {
  return status < 300 ? undefined : `${status} ${body.errors?.[0]?.message ?? JSON.stringify(body)}`;
}

/** Returns those that were not refused. */
export function succeeded<R extends RacedRequest>(raced: readonly Raced<R>[]): Raced<R>[] {
  return raced.filter(({ refusal }) => refusal === undefined);
}

/** Returns the refusals, each once. */
export function refusalsOf(raced: readonly Raced[]): string[] {
  return [...new Set(raced.flatMap(({ refusal }) => refusal ?? []))];
}

function describe({ request: { method, path, body }, refusal }: Raced): string {
  return `${method} ${path} ${JSON.stringify(body)}: ${refusal}`;
}

/** Returns how many intervals from request to reply overlap at most. */
function mostAtOnce(sent: readonly { sentMs: number; answeredMs: number }[]): number {
  const changes = sent
    .flatMap(({ sentMs, answeredMs }) => [
      { ms: sentMs, by: 1 },
      { ms: answeredMs, by: -1 },
    ])
    .toSorted((one, other) => one.ms - other.ms || one.by - other.by);
  let now = 0;
  return Math.max(...changes.map(({ by }) => (now += by)));
}

function countReplies(raced: readonly Raced[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { status, refusal = '' } of raced) {
    const name = `${status}${refusal.slice(3).replaceAll(/\d[\d.]*/g, 'N')}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const keyed = items.map((item) => ({ item, at: fraction(random) }));
  return keyed.toSorted((one, other) => one.at - other.at).map(({ item }) => item);
}
