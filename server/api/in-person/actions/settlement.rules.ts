import type { MaskedCard } from '../../../../protocol/messages/card-data.schema.ts';
import { Refusal } from '../../../platform/http/refusals.ts';
import type { ActionEvent } from './action.machine.ts';
import type { ActionRow, StoredDecision } from './action.records.ts';

/** What a person found out about the request that a payment terminal had. */
export type SettledOutcome = 'Charged' | 'NotCharged';

/** An event of an action, and what is stored with it. */
interface Settlement {
  event: ActionEvent;
  storedDecision?: StoredDecision;
  reason?: string;
}

/** A card of which nothing is known (docs/choices/readers.md). */
const UNKNOWN_CARD: MaskedCard = {
  scheme: 'Mastercard',
  bin: '000000',
  last4: '0000',
  expiryMonth: '12',
  expiryYear: '2099',
};

const NOTHING_CHARGED = 'a person has settled it: nothing was charged';

/**
 * Returns the action in progress whose outcome a person may settle.
 * @throws Refusal `nothing_to_settle` unless the payment terminal has not reported it.
 */
export function requireUnknown(action: ActionRow | undefined): ActionRow {
  if (action?.phase !== 'outcomeUnknown') throw new Refusal('nothing_to_settle');
  return action;
}

/** Returns what comes of an action whose outcome a person has found out. */
export function settlementOf(outcome: SettledOutcome): Settlement {
  if (outcome === 'NotCharged') return { event: { type: 'outcome.notCharged' }, reason: NOTHING_CHARGED };
  const decision = { outcome: 'approved', authorisationCode: '' } as const;
  return {
    event: { type: 'outcome.charged' },
    storedDecision: { decision, card: UNKNOWN_CARD, settled: true },
  };
}

/** Whether a person has settled the outcome of an action that has ended. */
export function isSettled({ status, error_reason: reason }: ActionRow): boolean {
  return status === 'Succeeded' || reason === NOTHING_CHARGED;
}
