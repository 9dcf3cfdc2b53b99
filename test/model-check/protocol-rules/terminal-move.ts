import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
  StartAction,
} from '../../../protocol/messages/action.messages.ts';
import { pathOf, snapshotOf } from '../terminal-model.ts';
import type { StoredSnapshot, TerminalInput, TerminalState, Trace } from '../terminal-model.ts';

export type StoredContext = StoredSnapshot['context'];

/** A step of a terminal, as docs/protocol.md speaks of it. */
export interface TerminalMove {
  /** The event of a device, or the command, the timer or the connection that has come; `ignored` for what has no effect. */
  event: string;
  /** What comes with the event: the fields of the command or of the event of a device. */
  detail: Record<string, unknown>;
  /** Dotted path of the state; null without an action. */
  from: string | null;
  to: string | null;
  before: StoredContext | null;
  after: StoredContext | null;
  /** The whole snapshots, to see whether anything has changed. */
  snapshots: { before: unknown; after: unknown };
  /** Whether the terminal has missed a command before this one. */
  gap: boolean;
  /** Whether the action waited for its first connection since the power returned. */
  wasDormant: boolean;
  states: { before: TerminalState; after: TerminalState };
  trace: Trace;
}

/** States in which the terminal may still abandon the action by itself. */
export const BEFORE_ISSUER = /^(awaitingCard|reading|awaitingPin|verifyingPin)$/;

/** States in which a payment terminal has the request, and alone ends it. */
export const AT_DEVICE = /^(atDevice|outcomeUnknown)$/;

/** Returns what has happened in a step; undefined for a return of power, which waits for the connection. */
export function moveOf(
  before: TerminalState,
  after: TerminalState,
  { input, trace }: { input: TerminalInput; trace: Trace },
): TerminalMove | undefined {
  if (!before.host || !after.host) return undefined;
  const earlier = before.host.action && snapshotOf(before.host.action);
  const last = after.host.action?.snapshot ?? (earlier && after.host.lastSnapshot);
  const later = last ? (last as StoredSnapshot) : null;
  const { event, detail } = eventOf(input, before);
  const seq = Number(detail['seq'] ?? 0);
  return {
    event,
    detail,
    from: earlier && pathOf(earlier.value),
    to: later && pathOf(later.value),
    before: earlier?.context ?? null,
    after: later?.context ?? null,
    snapshots: { before: earlier, after: later },
    gap: isCommand(event) && seq > before.host.action!.lastSeqSeen + 1,
    wasDormant: before.host.isDormant,
    states: { before, after },
    trace,
  };
}

const COMMAND_EVENTS: Record<string, string> = {
  [CancelAction.name]: 'cancel',
  [ConfirmReceipt.name]: 'confirm',
  [RequestReport.name]: 'reportRequest',
  [EndAction.name]: 'end',
};

function isCommand(event: string): boolean {
  return /^(cancel|confirm|reportRequest|end|approve|decline|repeatedStart)$/.test(event);
}

function eventOf(
  input: TerminalInput,
  before: TerminalState,
): { event: string; detail: Record<string, unknown> } {
  switch (input.type) {
    case 'event':
      return { event: input.event.type, detail: { ...input.event } };
    case 'timer':
      return { event: input.timer, detail: {} };
    case 'command': {
      const detail = JSON.parse(input.body) as Record<string, unknown>;
      return { event: commandOf(input, detail, before), detail };
    }
    default:
      return { event: input.type, detail: {} };
  }
}

function commandOf(
  { name, nowMs }: { name: string; nowMs: number },
  { actionId, seq, expiresAtMs, outcome }: Record<string, unknown>,
  { host }: TerminalState,
): string {
  const { action, endedActionIds } = host!;
  const hasEnded = endedActionIds.includes(String(actionId));
  const isRepeat = actionId === action?.actionId && Number(seq) <= action!.lastSeqSeen;
  if (isRepeat) return 'ignored';
  if (name === StartAction.name) {
    if (actionId === action?.actionId) return 'repeatedStart';
    if (hasEnded) return 'ignored';
    if (action && isUnsettled(snapshotOf(action))) return 'startTooEarly';
    return nowMs > Number(expiresAtMs) ? 'ignored' : 'start';
  }
  if (actionId !== action?.actionId) return name === RequestReport.name ? 'online' : 'ignored';
  if (name === DecideAction.name) return outcome === 'approved' ? 'approve' : 'decline';
  return COMMAND_EVENTS[name]!;
}

/** Whether a payment terminal has charged the card for an action, or may have. */
function isUnsettled({ value, context }: StoredSnapshot): boolean {
  return context.device !== null || AT_DEVICE.test(pathOf(value));
}
