import { LEASE_MS } from '../../instance-lease.ts';
import type { Services } from '../../services.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { Refusal } from '../refusals.ts';
import {
  findKey,
  KEY_GUARD,
  saveAnswer,
  saveClaim,
  type Claim,
  type IdempotencyKeyRow,
} from './idempotency-key.records.ts';
import { openAnswer, sealAnswer, type KeyedDigests } from './keyed-request.ts';

/** How long a key is kept, real time. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

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

/** How often a key is claimed that another request takes and gives back meanwhile. */
const CLAIMS_MAX = 3;

/**
 * Claims a request for one attempt, durably, unless it was answered meanwhile: then returns that answer.
 * @throws Refusal as `findAnswer`
 */
export async function claimRequest(
  { ids, realClock, store }: Parts,
  digests: KeyedDigests,
): Promise<Claim | Answer> {
  const { keyDigest, requestDigest } = digests;
  const claim = ids.uuid();
  const nowMs = realClock.nowMs();
  const row = {
    key_digest: keyDigest,
    request_digest: requestDigest,
    claim,
    // So long the attempt has the request for itself. Another may then take it over, as after the end of a server, and this
    // one can no longer commit.
    lease_ms: nowMs + LEASE_MS,
    expires_ms: nowMs + KEPT_MS,
  };
  return store.transaction(async (tx) => {
    for (let tried = 0; tried < CLAIMS_MAX; tried += 1) {
      if (await saveClaim(tx, row, nowMs)) return { keyDigest, claim };
      const answer = answerIn(await findKey(tx, keyDigest), digests, nowMs);
      if (answer) return answer;
    }
    throw new Refusal('idempotency_key_in_use');
  }, KEY_GUARD);
}

interface Given {
  claim: Claim;
  digests: KeyedDigests;
  answer: Answer;
}

/**
 * Keeps the answer of an attempt.
 * @throws Refusal `idempotency_key_in_use` when another attempt took the request over
 */
export function keepAnswer(store: Store, parts: Pick<Parts, 'random'>, given: Given): Promise<void> {
  return store.transaction((tx) => keepAnswerIn(tx, parts, given), KEY_GUARD);
}

/** The same as part of a transaction. */
export async function keepAnswerIn(
  tx: Transaction,
  { random }: Pick<Parts, 'random'>,
  { claim, digests, answer }: Given,
): Promise<void> {
  const sealed = { status: answer.status, answer: sealAnswer(answer.text, digests, random) };
  if (!(await saveAnswer(tx, claim, sealed))) throw new Refusal('idempotency_key_in_use');
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
