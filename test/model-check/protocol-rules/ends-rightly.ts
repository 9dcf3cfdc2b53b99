import type { ActionEvent } from '../../../server/api/in-person/actions/action.machine.ts';
import type { ActionRow } from '../../../server/api/in-person/actions/action.records.ts';
import { isAtPaymentTerminal } from '../../../server/api/in-person/actions/action.rules.ts';

/** The codes of an action whose deadline has passed at the server. */
const DEADLINE_CODES: Partial<Record<ActionRow['phase'], string>> = {
  sent: 'terminal_offline',
  awaitingCard: 'timeout',
  printing: 'timeout',
  awaitingMerchantCopy: 'receipt_not_confirmed',
  awaitingCustomerCopy: 'receipt_not_confirmed',
};

/** Whether an event that is an end ends an action, with the code of the reason. */
export function endsRightly(before: ActionRow, after: ActionRow, event: ActionEvent): boolean {
  if (after.status === 'Failed') return after.error_code === codeOf(before, event);
  // Of a request that a payment terminal has neither a deadline nor a cancel is the end.
  const isHeld = isAtPaymentTerminal(before) && event.type !== 'action.abandoned';
  const ends = ['action.cancelled', 'action.abandoned', 'deadline.passed'].includes(event.type);
  return after.error_code === null && (isHeld || !(ends && after.status === 'InProgress'));
}

function codeOf({ phase }: ActionRow, event: ActionEvent): string | undefined {
  if (event.type === 'deadline.passed') return DEADLINE_CODES[phase];
  if (event.type === 'outcome.notCharged') return 'unexpected_error';
  return 'code' in event ? event.code : 'receipt_failed';
}
