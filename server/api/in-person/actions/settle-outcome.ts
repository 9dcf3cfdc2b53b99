import type { Static } from '../../../../protocol/schema.ts';
import type { Terminal } from '../terminals/terminal.schema.ts';
import { readTerminalWith } from './action-service.ts';
import { ACTION_GUARDS, findActionInProgress } from './action.records.ts';
import { applyActionEvent } from './apply-action-event.ts';
import { requireUnknown, settlementOf, type SettledOutcome } from './settlement.rules.ts';
import type { ActionServices } from './terminal-commands.ts';

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
      const action = requireUnknown(await findActionInProgress(tx, terminalId));
      const { event, ...facts } = settlementOf(outcome);
      const settled = await applyActionEvent(tx, services, action, event, facts);
      return readTerminalWith(tx, terminalId, settled ?? action);
    },
    { guardedBy: ACTION_GUARDS },
  );
}
