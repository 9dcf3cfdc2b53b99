import type { Services } from '../../services.ts';
import type { Queries } from '../../store/store.ts';
import { Refusal } from '../refusals.ts';
import {
  findKey,
  saveAnswer,
  saveClaim,
  type Claim,
  type IdempotencyKeyRow,
} from './idempotency-key.records.ts';
import { openAnswer, sealAnswer, type KeyedDigests } from './keyed-request.ts';

/** How long a key is kept, real time. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * How long an attempt has a request for itself, real time. After it, another attempt may take the request over, as
 * after the end of a server; the first one can then no longer commit.
 */
const LEASE_MS = 10_000;

/** The answer to a request: its status and the text of its body. */
export interface Answer {
  status: number;
  text: string;
}

type Parts = Pick<Services, 'ids' | 'random' | 'realClock' | 'store'>;

/**
 * Returns the answer that was given to the same request before, if any.
 * @throws Refusal `idempotency_key_reused` when the key came with another request, `idempotency_key_in_use` while that
 *   request is under way
 */
export async function findAnswer(
  { realClock, store }: Pick<Parts, 'realClock' | 'store'>,
  digests: KeyedDigests,
): Promise<Answer | undefined> {
  return answerIn(await findKey(store, digests.keyDigest), digests, realClock.nowMs());
}

/**
 * Claims a request for one attempt, durably, unless it was answered meanwhile: then returns that answer.
 * @throws Refusal as `findAnswer`
 */
export async function claimRequest(
  { ids, realClock, store }: Parts,
  digests: KeyedDigests,
): Promise<Claim | Answer> {
  const claim = ids.uuid();
  const nowMs = realClock.nowMs();
  return store.transaction(async (tx) => {
    const { keyDigest, requestDigest } = digests;
    const answer = answerIn(await findKey(tx, keyDigest), digests, nowMs);
    if (answer) return answer;
    await saveClaim(tx, {
      key_digest: keyDigest,
      request_digest: requestDigest,
      claim,
      lease_ms: nowMs + LEASE_MS,
      expires_ms: nowMs + KEPT_MS,
    });
    return { keyDigest, claim };
  });
}

/**
 * Keeps the answer of an attempt.
 * @throws Refusal `idempotency_key_in_use` when another attempt took the request over
 */
export async function keepAnswer(
  queries: Queries,
  { random }: Pick<Parts, 'random'>,
  { claim, digests, answer }: { claim: Claim; digests: KeyedDigests; answer: Answer },
): Promise<void> {
  const sealed = { status: answer.status, answer: sealAnswer(answer.text, digests, random) };
  if (!(await saveAnswer(queries, claim, sealed))) throw new Refusal('idempotency_key_in_use');
}

/** Returns the answer in a row that was found, undefined when its key is free. @throws Refusal as `findAnswer` */
function answerIn(
  row: IdempotencyKeyRow | undefined,
  digests: KeyedDigests,
  nowMs: number,
): Answer | undefined {
  if (!row || row.expires_ms <= nowMs) return undefined;
  const { status, answer } = row;
  if (status === null && row.lease_ms <= nowMs) return undefined;
  if (row.request_digest !== digests.requestDigest) throw new Refusal('idempotency_key_reused');
  if (status === null || answer === null) throw new Refusal('idempotency_key_in_use');
  return { status, text: openAnswer(answer, digests) };
}
