import { messageOf } from '../../../../protocol/failures.ts';
import type { Activities } from '../../activities.ts';
import type { Services } from '../../services.ts';
import { extendTransaction } from '../../store/extended-transaction.ts';
import { UniqueViolation, type Store, type Transaction } from '../../store/store.ts';
import { envelope, Refusal } from '../refusals.ts';
import { textOf } from '../pages/reply-text.ts';
import type { Route, RouteCall } from '../route.ts';
import { deleteClaim, type Claim } from './idempotency-key.records.ts';
import { claimRequest, keepAnswer, keepAnswerIn, type Answer } from './kept-answers.ts';
import type { KeyedDigests } from './keyed-request.ts';

/** An answer, and where it comes from: a reply, a refusal, or an earlier request. */
export type GivenAnswer = Answer & ({ reply: unknown } | { refusal: Refusal } | { replayed: true });

/** Refusals that a repetition of the request may not get. */
const NOT_KEPT = new Set([401, 403, 429]);

/**
 * Handles a checked request once, however often it is sent with its key, and keeps the answer. The work of the handler
 * and its answer are one transaction; where a route works outside the store too, the answer is kept after its work.
 * @throws Refusal that is not kept, Fault; the request may then be sent again
 */
export async function answerOnce(route: Route, call: RouteCall, digests: KeyedDigests): Promise<GivenAnswer> {
  const { services } = call;
  const claim = await claimRequest(services, digests);
  if ('text' in claim) return { ...claim, replayed: true };
  const attempt = { claim, digests };
  try {
    await route.prepare?.(call);
    if (route.worksOutside) {
      const given = await handled(route, { ...call, digests });
      await keepAnswer(services.store, services, { ...attempt, answer: given });
      return given;
    }
    const once = () =>
      extendTransaction(services.store, {
        guard: 'idempotencyKeys',
        work: (store, afterCommit) =>
          handled(route, { ...call, services: servicesOn(store, services, afterCommit) }),
        last: (tx, answer) => keepAnswerIn(tx, services, { ...attempt, answer }),
      });
    // Where two requests race, the second run finds the row of the other one, and is refused.
    return await once().catch((error: unknown) => {
      if (error instanceof UniqueViolation) return once();
      throw error;
    });
  } catch (error) {
    if (error instanceof Refusal && isKept(error)) return keepRefusal(services, attempt, error);
    await release(services, claim);
    throw error;
  }
}

async function handled(route: Route, call: RouteCall): Promise<Answer & { reply: unknown }> {
  const reply = await route.handle(call);
  return { status: route.status, text: textOf(reply, route, call.services.settings), reply };
}

/** Returns the services for a handler whose work is one transaction: what it emits is emitted after the commit. */
function servicesOn(store: Store, services: Services, afterCommit: Transaction['afterCommit']): Services {
  const { activities } = services;
  const emit: Activities['emit'] = (activity) => afterCommit(() => activities.emit(activity));
  return { ...services, store, activities: { ...activities, emit } };
}

/** Whether a repetition of the request gets a refusal again: the request broke a rule, and nothing was done. */
function isKept({ refusal, status }: Refusal): boolean {
  return refusal !== 'idempotency_key_in_use' && status < 500 && !NOT_KEPT.has(status);
}

async function keepRefusal(
  services: Services,
  attempt: { claim: Claim; digests: KeyedDigests },
  refusal: Refusal,
): Promise<GivenAnswer> {
  const text = JSON.stringify(envelope(services.ids.uuid(), refusal));
  const answer = { status: refusal.status, text };
  await keepAnswer(services.store, services, { ...attempt, answer });
  return { ...answer, refusal };
}

async function release({ log, store }: Pick<Services, 'log' | 'store'>, claim: Claim): Promise<void> {
  await deleteClaim(store, claim).catch((thrown: unknown) => {
    log.warn({ reason: messageOf(thrown) }, 'an idempotency key stays in use until its lease ends');
  });
}
