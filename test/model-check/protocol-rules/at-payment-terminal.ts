import type { ActionRow } from '../../../server/api/in-person/actions/action.records.ts';
import type { settlementOf } from '../../../server/api/in-person/actions/settlement.rules.ts';

// What docs/choices/readers.md (Unknown outcomes) says of a request that a payment terminal has.

/** Whether a cancel is refused exactly while a payment terminal has the request. */
export function isCancelRight({ phase }: ActionRow, isRefused: boolean): boolean {
  return isRefused === (phase === 'atDevice' || phase === 'outcomeUnknown');
}

/**
 * Whether a person may settle an action exactly while its outcome is unknown, and it ends as the person says: with a decision
 * that no terminal gets, or with the reason.
 */
export function isSettlementRight(
  { phase }: ActionRow,
  outcome: 'Charged' | 'NotCharged',
  settlement: ReturnType<typeof settlementOf> | undefined,
): boolean {
  if (phase !== 'outcomeUnknown' || !settlement) return phase !== 'outcomeUnknown' && !settlement;
  const { event, storedDecision, reason } = settlement;
  return outcome === 'Charged'
    ? event.type === 'outcome.charged' && storedDecision?.settled === true && reason === undefined
    : event.type === 'outcome.notCharged' && !storedDecision && reason !== undefined;
}
