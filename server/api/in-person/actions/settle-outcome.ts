import type { MaskedCard } from '../../../../protocol/messages/card-data.schema.ts';
import type { Static } from '../../../../protocol/schema.ts';
import { Refusal } from '../../../platform/http/refusals.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import type { Terminal } from '../terminals/terminal.schema.ts';
import { readTerminalWith } from './action-service.ts';
import { ACTION_GUARDS, findActionInProgress, type ActionRow } from './action.records.ts';
import { applyActionEvent } from './apply-action-event.ts';
import type { ActionServices } from './terminal-commands.ts';

/** What a person found out about the request that a payment terminal had. */
type SettledOutcome = 'Charged' | 'NotCharged';

/** A card of which nothing is known (docs/choices/readers.md). */
const UNKNOWN_CARD: MaskedCard = {
  scheme: 'Mastercard',
  bin: '000000',
  last4: '0000',
  expiryMonth: '12',
  expiryYear: '2099',
};

const CHARGED = {
  storedDecision: {
    decision: { outcome: 'approved', authorisationCode: '' },
    card: UNKNOWN_CARD,
  },
} as const;

const NOT_CHARGED = { reason: 'a person has settled it: nothing was charged' };

/** Whether a person has settled the outcome of an action that has ended. */
export function isSettled({ status, error_reason: reason }: ActionRow): boolean {
  return status === 'Succeeded' || reason === NOT_CHARGED.reason;
}

/**
 * Ends the action of a terminal whose payment terminal has not reported its outcome, as a person found it there, and
 * returns the terminal.
 * @throws Refusal `nothing_to_settle`.
 */
export function settleOutcome(
  services: ActionServices,
  terminalId: string,
  outcome: SettledOutcome,
): Promise<Static<typeof Terminal>> {
  return services.store.transaction(
    async (tx) => {
      tx.lockRow('terminals', terminalId);
      const action = await findActionInProgress(tx, terminalId);
      if (action?.phase !== 'outcomeUnknown') throw new Refusal('nothing_to_settle');
      const settled = await settle(tx, services, action, outcome);
      return readTerminalWith(tx, terminalId, settled ?? action);
    },
    { guardedBy: ACTION_GUARDS },
  );
}

function settle(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
  outcome: SettledOutcome,
): Promise<ActionRow | undefined> {
  return outcome === 'Charged'
    ? applyActionEvent(tx, services, action, { type: 'outcome.charged' }, CHARGED)
    : applyActionEvent(tx, services, action, { type: 'outcome.notCharged' }, NOT_CHARGED);
}
