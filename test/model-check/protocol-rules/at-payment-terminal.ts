import type { ActionEvent } from '../../../server/api/in-person/actions/action.machine.ts';
import type { ActionRow } from '../../../server/api/in-person/actions/action.records.ts';

// What docs/choices/readers.md (Unknown outcomes) says of a request that a payment terminal has.

/** Whether a cancel is refused exactly while a payment terminal has the request. */
export function isCancelRight({ phase }: ActionRow, isRefused: boolean): boolean {
  return isRefused === (phase === 'atDevice' || phase === 'outcomeUnknown');
}

/** Whether a person may settle an action exactly while its outcome is unknown, and it ends as the person says. */
export function isSettlementRight(
  { phase }: ActionRow,
  outcome: 'Charged' | 'NotCharged',
  event: ActionEvent | undefined,
): boolean {
  if (phase !== 'outcomeUnknown') return event === undefined;
  return event?.type === (outcome === 'Charged' ? 'outcome.charged' : 'outcome.notCharged');
}
