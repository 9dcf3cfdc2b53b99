import type { ActionEvent } from '../../../agent/lifecycle/action-events.ts';
import { AUTHORISE_RETRY_MS, SERVER_REPLY_MS } from '../../../agent/lifecycle/deadlines.ts';
import { withoutPower } from '../local-steps.ts';
import {
  pathOf,
  snapshotOf,
  stepTerminal,
  type TerminalInput,
  type TerminalState,
} from '../terminal-model.ts';
import { hasPowerReturned } from '../protocol-rules/next-state.ts';
import { asksServer } from '../protocol-rules/reports.ts';
import { moveOf } from '../protocol-rules/terminal-move.ts';
import { approvalFor, READ_CARDS } from './terminal-inputs.ts';

/** Events by which states with other cards are derived from one in which a card is read. */
const WITH_CARD: readonly ActionEvent[] = [
  ...READ_CARDS,
  { type: 'pin.entered' },
  { type: 'pin.accepted' },
  { type: 'pin.rejected', triesLeft: 1 },
  { type: 'pin.rejected', triesLeft: 0 },
];

/**
 * Returns the states of a terminal, each once, with those that other cards and a power cut lead to.
 * @param seen what is left out, since it was returned before
 */
export async function statesOfTerminal(
  visited: readonly TerminalState[],
  seen: Set<string>,
): Promise<TerminalState[]> {
  const states: TerminalState[] = [];
  const add = (state: TerminalState) => {
    const key = keyOf(state);
    if (seen.has(key)) return false;
    seen.add(key);
    states.push(state);
    return true;
  };
  for (const state of visited) add(state);
  const reading = visited.find(
    ({ host }) => host?.action && pathOf(snapshotOf(host.action).value) === 'reading',
  );
  const open = reading ? [reading] : [];
  for (let state = open.pop(); state; state = open.pop()) {
    for (const event of WITH_CARD) {
      const { after } = await stepTerminal(state, { type: 'event', event });
      if (!add(after)) continue;
      if (isIn(after, /^(awaitingPin|verifyingPin)$/)) open.push(after);
      if (isIn(after, /^authorising$/)) add((await stepTerminal(after, approvalFor(after))).after);
    }
  }
  // Those that are added are dormant.
  for (const state of states) {
    if (!state.host?.action || state.host.isDormant) continue;
    const cut = { ...withoutPower(state), journal: state.host.action };
    add((await stepTerminal(cut, { type: 'powerOn' })).after);
  }
  return states;
}

function isIn({ host }: TerminalState, states: RegExp): boolean {
  return states.test(pathOf(snapshotOf(host!.action!).value));
}

/** Returns what the next step of a terminal depends on, as text. What is paid or refunded changes nothing. */
function keyOf({ host, online, reader, shown, journal }: TerminalState): string {
  const action = host?.action ?? journal;
  const snapshot = action && snapshotOf(action);
  return JSON.stringify([
    snapshot?.value,
    snapshot && { ...snapshot.context, start: snapshot.context.start.receiptPrintingSource },
    host?.isDormant,
    online,
    reader === 'off',
    shown === null,
    host ? host.endedActionIds.length : 'no power',
  ]);
}

const DOUBLED = [1, 2, 4, 8, 16, 32, 64, 64, 64];

/** Whether a terminal that has entered a state asks the server, and waits twice as long after each time. */
export async function waitsDouble(state: TerminalState, input: TerminalInput): Promise<string[]> {
  const { waits } = await stepTerminal(afterInquiries(state), input, DOUBLED.length - 1);
  const isRetry = waits[0]?.for === 'retry';
  const firstMs = isRetry ? AUTHORISE_RETRY_MS : SERVER_REPLY_MS;
  const isRight = DOUBLED.slice(0, isRetry ? RETRIES : DOUBLED.length).every(
    (times, fired) => waits[fired]?.ms === firstMs * times,
  );
  return isRight ? [] : ['waitsDouble'];
}

/** The same terminal after it has inquired some times in its state, which the next state must not count. */
function afterInquiries(state: TerminalState): TerminalState {
  const clone = structuredClone(state);
  for (const entry of [clone.host?.action, clone.journal])
    if (entry) snapshotOf(entry).context.inquiries = INQUIRIES;
  return clone;
}

const INQUIRIES = 3;
/** Requests that are sent until the terminal gives up. */
const RETRIES = 4;

/** Returns how a step comes to a state in which the terminal waits for the server, as text; undefined if it does not. */
export function waitOf(state: TerminalState, input: TerminalInput, after: TerminalState): string | undefined {
  const move = moveOf(state, after, { input, trace: [] });
  if (!move?.to || !after.host?.action) return undefined;
  const hasReturned = hasPowerReturned(move);
  const isEntered = move.from !== move.to || hasReturned;
  const waits = move.to.endsWith('Receipt') ? hasReturned : asksServer(move.to) || move.to === 'authorising';
  return isEntered && waits ? [move.from, move.event, move.to].join() : undefined;
}
