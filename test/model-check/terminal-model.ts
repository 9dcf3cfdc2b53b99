import { ActionHost, type ActionHostState } from '../../agent/lifecycle/action-host.ts';
import type { JournalEntry } from '../../agent/lifecycle/action-journal.ts';
import type { ActionEvent, CopyName } from '../../agent/lifecycle/action-events.ts';
import type { ReaderEvent } from '../../agent/readers/reader.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { ActionStatus } from '../../protocol/messages/action.messages.ts';
import type { MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import { indexOfAction, NOW_MS, type ReaderState } from './fixtures.ts';
import type { Packet } from './network.ts';
import {
  afterDevice,
  IDLE_DEVICE,
  IDLE_DRIVER,
  told,
  withoutTold,
  type Device,
  type DeviceInput,
  type Driver,
} from './payment-terminal.ts';
import { beginStep } from './places.ts';
import { Environment } from './environment.ts';
import { brokenRules } from './step-rules.ts';

/** A terminal between two steps: what its firmware exports, and what its devices do. */
export interface TerminalState {
  /** Null without power; then `journal` is what is left. */
  host: ActionHostState | null;
  journal: JournalEntry | null;
  online: boolean;
  reader: ReaderState;
  /** Copies that it has begun to print; the first may still be printed after its time is up. */
  printing: CopyName[];
  reversing: boolean;
  /** The status that it shows of its action, or of its last one; null before its first step since it has power. */
  shown: ActionStatus | null;
  /** Indexes of the actions for which the bank of the device has taken money. */
  charged: number[];
  device: Device;
  driver: Driver;
}

/** What happens to a terminal. `isLeft`: its device does not reverse, and a person has to. */
export type TerminalInput =
  | { type: 'command'; name: string; body: string; nowMs: number }
  | { type: 'event'; event: ActionEvent; reader?: ReaderState; isLeft?: true }
  | { type: 'timer'; timer: 'deadline' | 'retry' }
  | { type: 'online' }
  | { type: 'powerOn' }
  | { type: 'device'; what: DeviceInput };

/** What leaves the firmware in a step, in order: what a power cut in between leaves undone. */
export type Trace = (
  | { saved: JournalEntry | null }
  | { sent: Packet }
  | { did: string; at: Pick<TerminalState, 'device' | 'driver'> }
)[];

interface TerminalStep {
  after: TerminalState;
  /** What the terminal waits for after the step, and after each time-out that follows. */
  waits: Wait[];
  trace: Trace;
  /** The payment terminal and its driver after what they have reported, before the firmware has done anything. */
  reported: Pick<TerminalState, 'device' | 'driver'>;
  /** Rules of a single step that it broke. */
  broken: string[];
}

/** What the timer of a terminal is set for, and in how many milliseconds it fires. */
interface Wait {
  for: 'deadline' | 'retry' | null;
  ms: number;
}

export const NEW_TERMINAL: TerminalState = {
  host: { action: null, isDormant: false, lastSnapshot: null, endedActionIds: [] },
  journal: null,
  online: true,
  reader: 'off',
  printing: [],
  reversing: false,
  shown: null,
  charged: [],
  device: IDLE_DEVICE,
  driver: IDLE_DRIVER,
};

/** The persisted snapshot of the action machine, as far as the model looks at it. */
export interface StoredSnapshot {
  value: unknown;
  status: string;
  context: {
    deadlineMs: number | null;
    askAgainMs: number | null;
    cardDeadlineMs: number;
    inquiries: number;
    card: MaskedCard | null;
    cardMissing: boolean;
    chip: unknown;
    verification: string;
    pinTriesLeft: number | null;
    unreadableCards: number;
    device: unknown;
    deviceReceipt: unknown;
    authorisationCode: string | null;
    approvedAtMs: number | null;
    code: string | null;
    openAtDevice: boolean;
    reason: string | null;
    failedCopies: string[];
    start: { actionId: string; receiptPrintingSource: string; presentCardMs: number };
  };
}

/** Returns the state of a snapshot as a dotted path. */
export function pathOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, inner]] = Object.entries(value as object) as [[string, unknown]];
  return `${name}.${pathOf(inner)}`;
}

export function snapshotOf(entry: { snapshot: unknown }): StoredSnapshot {
  return entry.snapshot as StoredSnapshot;
}

const NOTHING_DONE = { waits: [], trace: [], broken: [] };

const MICROTASKS = 8;

/**
 * Takes one step of the real firmware of a terminal, from a state and back to one.
 * @param timeouts how many time-outs fire after the input, before the step ends
 */
export async function stepTerminal(
  before: TerminalState,
  input: TerminalInput,
  timeouts = 0,
): Promise<TerminalStep> {
  beginStep();
  if (input.type === 'device')
    return { ...NOTHING_DONE, after: afterDevice(before, input.what), reported: before };
  const environment = new Environment(before, input);
  const { after, trace, timers } = environment;
  const host = new ActionHost(environment.parts);
  const waits: Wait[] = [];
  const broken: string[] = [];
  try {
    await give(host, input, environment);
    for (let fired = 0; fired <= timeouts; fired += 1) {
      if (fired > 0) timers.fire();
      const wait = waitOf(host, timers.dueMs);
      if (!wait) broken.push('oneTimer');
      else waits.push(wait);
    }
  } catch (error) {
    const stopped = [`terminalSteps: ${messageOf(error)}`];
    return { ...NOTHING_DONE, after: before, reported: before, broken: stopped };
  }
  if (input.type === 'event' && input.reader && after.reader === before.reader) after.reader = input.reader;
  after.host = structuredClone(host.exportState());
  environment.isOver = true;
  host.stop();
  const reported = { ...before, ...(input.type === 'event' && endOf(input, before)) };
  return { after, trace, reported, waits, broken: [...broken, ...finish(before, after, { input, trace })] };
}

/** Returns what the timer of a terminal is set to; undefined unless it has one, for the first of its times. */
function waitOf(host: ActionHost, dueMs: readonly number[]): Wait | undefined {
  const { action, isDormant } = host.exportState();
  if (!action || isDormant) return dueMs.length === 0 ? { for: null, ms: 0 } : undefined;
  const { deadlineMs, askAgainMs } = snapshotOf(action).context;
  const isRetry = askAgainMs !== null && askAgainMs < (deadlineMs ?? Infinity);
  const [atMs] = dueMs;
  const isRight = dueMs.length === 1 && atMs === (isRetry ? askAgainMs : deadlineMs);
  return isRight ? { for: isRetry ? 'retry' : 'deadline', ms: atMs - NOW_MS } : undefined;
}

async function give(
  host: ActionHost,
  input: TerminalInput,
  { before, after, timers, device, trace }: Environment,
): Promise<void> {
  if (input.type === 'powerOn') host.resume();
  else host.resume(prepared(before.host!, input));
  if (input.type !== 'powerOn') {
    trace.length = 0;
    after.reader = before.reader;
  }
  if (input.type === 'event') Object.assign(after, endOf(input, before));
  if (input.type === 'command') host.command(input.name, Buffer.from(input.body));
  else if (input.type === 'event') device.report?.(input.event as ReaderEvent);
  else if (input.type === 'timer') timers.fire();
  else if (input.type === 'online') {
    after.online = true;
    host.online();
  }
  // The effects that call the printer and the device start in a microtask.
  for (let turn = 0; turn < MICROTASKS; turn += 1) await Promise.resolve();
}

/** What a device has finished when it reports an event. */
function endOf(
  { event, reader, isLeft }: { event: ActionEvent; reader?: ReaderState; isLeft?: true },
  before: TerminalState,
): Partial<TerminalState> {
  const action = indexOfAction(before.host?.action?.actionId);
  const others = before.charged.filter((index) => index !== action);
  const isUnknown = event.type === 'device.unknown';
  const heard = { ...(reader && { reader }), driver: { ...before.driver, unknown: isUnknown } };
  switch (event.type) {
    case 'copy.printed':
    case 'copy.failed':
      return { printing: before.printing.filter((copy) => copy !== event.copy) };
    case 'device.reversed':
      if (isLeft) return { reversing: false, device: told(before.device, action!) };
      return { reversing: false, charged: others, device: withoutTold(before.device, action!) };
    case 'device.reversalFailed':
      return { reversing: false };
    case 'device.approved':
      return { ...heard, charged: [...others, action!] };
    default:
      return reader ? heard : {};
  }
}

/** Returns the state in which the timer that fires is the next one. Of two at once the deadline counts. */
function prepared(state: ActionHostState, input: TerminalInput): ActionHostState {
  const clone = structuredClone(state);
  if (!clone.action || input.type !== 'timer') return clone;
  const { context } = snapshotOf(clone.action);
  if (context.askAgainMs !== null) context.askAgainMs = NOW_MS + (input.timer === 'retry' ? -1 : 0);
  return clone;
}

function finish(
  before: TerminalState,
  after: TerminalState,
  { input, trace }: { input: TerminalInput; trace: Trace },
): string[] {
  const broken = brokenRules(before, after, { input, trace });
  for (const entry of [after.host!.action, after.journal]) if (entry) forgetTimes(entry);
  for (const item of trace) if ('saved' in item && item.saved) forgetTimes(item.saved);
  after.host!.lastSnapshot = forgottenTimes(after.host!.lastSnapshot);
  if (JSON.stringify(after.host!.action) !== JSON.stringify(after.journal)) broken.push('journalFirst');
  return broken;
}

/** Sets the times of a snapshot to now, since each is reached when its transition is taken. */
function forgetTimes(entry: JournalEntry): void {
  entry.snapshot = forgottenTimes(entry.snapshot);
}

function forgottenTimes(snapshot: unknown): unknown {
  if (!snapshot) return null;
  const { value, status, context } = snapshot as StoredSnapshot;
  return {
    value,
    status,
    context: {
      ...context,
      deadlineMs: context.deadlineMs === null ? null : NOW_MS,
      askAgainMs: context.askAgainMs === null ? null : NOW_MS - 1,
      inquiries: 0,
    },
  };
}
