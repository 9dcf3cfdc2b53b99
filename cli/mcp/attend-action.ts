import { Fault } from '../../protocol/failures.ts';
import type { Action } from '../../server/api/in-person/actions/action.schema.ts';
import type { ServerApi } from '../client/api-client.ts';
import type { StartedAction } from './begun-actions.ts';
import type { ToolContext } from './tool.ts';

const POLL_MS = 500;

/** What the cardholder does; in the members of `POST /sandbox/terminals/{id}/payment`. */
export interface Cardholder {
  /** Name of the card to present. */
  card?: string | undefined;
  entryMode?: string | undefined;
  /** Digits to type when the terminal asks for the PIN, in place of the right ones. */
  pin?: string | undefined;
}

// Long enough to be seen at the terminal.
const CARDHOLDER_DELAY_MS = 200;

/** Returns what to tell the simulator of a cardholder; undefined when they do what was set for the terminal. */
export function cardholderActOf(cardholder: Cardholder): object | undefined {
  const given = Object.entries(cardholder).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : { ...Object.fromEntries(given), delayMs: CARDHOLDER_DELAY_MS };
}

/**
 * Tells the cardholder of an action in progress what to do in it, also at the prompt that the terminal shows now. Returns
 * why that is not possible; undefined when it is.
 */
export async function redirectCardholder(
  api: ServerApi,
  { terminalId, actionId }: StartedAction,
  cardholder: Cardholder,
): Promise<string | undefined> {
  const act = cardholderActOf(cardholder);
  if (!act) return undefined;
  try {
    await api.call('POST /sandbox/terminals/{id}/cardholder', {
      params: { id: terminalId },
      body: { script: 'tap', ...act, actionId },
    });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'server_answer') return thrown.message;
    throw thrown;
  }
}

/** Waits until an action has ended, or the time is over. Returns it as it is then. */
export async function waitForAction(
  context: ToolContext,
  api: ServerApi,
  started: StartedAction,
  waitMs: number,
): Promise<Action> {
  const endMs = context.nowMs() + waitMs;
  for (;;) {
    const action = await readAction(api, started);
    if (action.status !== 'InProgress' || context.nowMs() >= endMs) return action;
    await context.pause(POLL_MS);
  }
}

/** Reads an action, also when its terminal has begun another since. */
export async function readAction(api: ServerApi, { terminalId, actionId }: StartedAction): Promise<Action> {
  const { action } = await api.call('GET /v1/in-person/terminals/{id}', { params: { id: terminalId } });
  if (action?.id === actionId) return action;
  return (await api.call('GET /sandbox/objects/{id}', { params: { id: actionId } })).object as Action;
}
