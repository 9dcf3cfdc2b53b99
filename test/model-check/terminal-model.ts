import { ActionHost, type ActionHostState } from '../../agent/lifecycle/action-host.ts';
import type { JournalEntry } from '../../agent/lifecycle/action-journal.ts';
import type { ActionEvent, CopyName } from '../../agent/lifecycle/action-events.ts';
import type { ReaderEvent } from '../../agent/readers/reader.ts';
import { messageOf } from '../../protocol/failures.ts';
import { silentLog } from '../../protocol/log.ts';
import type { ActionStatus } from '../../protocol/messages/action.messages.ts';
import { parseTopic } from '../../protocol/topics.ts';
import { indexOfAction, NOW_MS, TERMINAL_ID, type ReaderState } from './fixtures.ts';
import type { Packet } from './network.ts';
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
}

/** What happens to a terminal. */
export type TerminalInput =
  | { type: 'command'; name: string; body: string; nowMs: number }
  | { type: 'event'; event: ActionEvent; reader?: ReaderState }
  | { type: 'timer'; timer: 'deadline' | 'retry' }
  | { type: 'online' }
  | { type: 'powerOn' };

/** What leaves the firmware in a step, in order: what a power cut in between leaves undone. */
export type Trace = ({ saved: JournalEntry | null } | { sent: Packet } | { did: string })[];

interface TerminalStep {
  after: TerminalState;
  trace: Trace;
  /** Rules of a single step that it broke. */
  broken: string[];
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
};

/** The persisted snapshot of the action machine, as far as the model looks at it. */
export interface StoredSnapshot {
  value: unknown;
  status: string;
  context: {
    deadlineMs: number | null;
    askAgainMs: number | null;
    inquiries: number;
    card: unknown;
    chip: unknown;
    pinTriesLeft: number | null;
    unreadableCards: number;
    device: unknown;
    code: string | null;
    failedCopies: string[];
    start: { actionId: string };
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

const REPORTED = /^(action\.(accepted|authorise|completed|abandoned|inquired)|receipt\.ready)$/;
const MICROTASKS = 8;
/** Far more reports than a step sends. */
const REPORTS_MAX = 100;

/** Takes one step of the real firmware of a terminal, from a state and back to one. */
export async function stepTerminal(before: TerminalState, input: TerminalInput): Promise<TerminalStep> {
  const after: TerminalState = structuredClone(before);
  const trace: Trace = [];
  const timer: { run?: () => void } = {};
  const device: { report?: (event: ReaderEvent) => void } = {};
  const wasOn = input.type === 'event' || before.reader !== 'off';
  let isOver = false;
  let reports = 0;
  const did = (what: string, change: Partial<TerminalState>) => {
    if (isOver) return;
    Object.assign(after, change);
    trace.push({ did: what });
  };
  const host = new ActionHost({
    terminalId: TERMINAL_ID,
    clock: {
      nowMs: () => (input.type === 'command' ? input.nowMs : NOW_MS),
      at: (_atMs, run) => {
        timer.run = run;
        return { cancel: () => (timer.run === run ? delete timer.run : undefined) };
      },
    },
    reader: {
      name: 'model',
      authoriser: 'server',
      begin: () => did('starts the reader', { reader: 'looking' }),
      resume: (_request, report) => {
        device.report = report;
        return wasOn;
      },
      awaitCard: () => did('looks for a card', { reader: 'looking' }),
      awaitPin: () => did('asks for the PIN', { reader: 'awaitingPin' }),
      verifyPin: () => did('verifies the PIN', { reader: 'verifyingPin' }),
      completeCard: ({ outcome }) =>
        did(`completes the card: ${outcome}`, { reader: outcome === 'approved' ? 'completing' : 'done' }),
      reverse: () => {
        did('reverses at the device', { reversing: true });
        return new Promise(() => {});
      },
      end: () => did('stops the reader', { reader: 'off' }),
      close: () => Promise.resolve(),
    },
    printer: {
      print: (copy) => {
        did(`prints the ${copy}`, { printing: [...after.printing.filter((each) => each !== copy), copy] });
        return new Promise(() => {});
      },
    },
    journal: {
      load: () => structuredClone(before.journal) ?? undefined,
      save: (entry) => {
        after.journal = structuredClone(entry);
        trace.push({ saved: after.journal });
      },
      clear: () => {
        after.journal = null;
        trace.push({ saved: null });
      },
    },
    log: silentLog,
    isOnline: () => {
      reports += 1;
      if (reports > REPORTS_MAX) throw new Error('the step does not end');
      return after.online;
    },
    publish: ({ topic, payload }) => {
      const name = nameIn(topic);
      if (REPORTED.test(name)) trace.push({ sent: packetOf(name, payload.toString()) });
      return Promise.resolve();
    },
    onStep: ({ status }) => void (after.shown = status),
    deviceState: () => ({ display: [] }),
  });
  try {
    await give(host, input, { before, after, timer, device, trace });
  } catch (error) {
    return { after: before, trace: [], broken: [`terminalSteps: ${messageOf(error)}`] };
  }
  if (input.type === 'event' && input.reader && after.reader === before.reader) after.reader = input.reader;
  after.host = structuredClone(host.exportState());
  isOver = true;
  host.stop();
  return finish(before, after, { input, trace });
}

interface Parts {
  before: TerminalState;
  after: TerminalState;
  timer: { run?: () => void };
  device: { report?: (event: ReaderEvent) => void };
  trace: Trace;
}

async function give(host: ActionHost, input: TerminalInput, parts: Parts): Promise<void> {
  const { before, after, timer, device, trace } = parts;
  if (input.type === 'powerOn') host.resume();
  else host.resume(prepared(before.host!, input));
  if (input.type !== 'powerOn') {
    trace.length = 0;
    after.reader = before.reader;
  }
  if (input.type === 'event') Object.assign(after, endOf(input, before));
  if (input.type === 'command') host.command(input.name, Buffer.from(input.body));
  else if (input.type === 'event') device.report?.(input.event as ReaderEvent);
  else if (input.type === 'timer') timer.run?.();
  else if (input.type === 'online') {
    after.online = true;
    host.online();
  }
  // The effects that call the printer and the device start in a microtask.
  for (let turn = 0; turn < MICROTASKS; turn += 1) await Promise.resolve();
}

/** What a device has finished when it reports an event. */
function endOf({ event, reader }: { event: ActionEvent; reader?: ReaderState }, before: TerminalState) {
  const action = indexOfAction(before.host?.action?.actionId);
  return {
    ...(reader && { reader }),
    ...((event.type === 'copy.printed' || event.type === 'copy.failed') && {
      printing: before.printing.filter((copy) => copy !== event.copy),
    }),
    ...((event.type === 'device.reversed' || event.type === 'device.reversalFailed') && { reversing: false }),
    ...(event.type === 'device.reversed' && { charged: before.charged.filter((index) => index !== action) }),
    ...(event.type === 'device.approved' && { charged: [...before.charged, action!] }),
  };
}

/** Returns the state in which the timer that fires is the next one. */
function prepared(state: ActionHostState, input: TerminalInput): ActionHostState {
  const clone = structuredClone(state);
  if (!clone.action || input.type !== 'timer') return clone;
  const { context } = snapshotOf(clone.action);
  if (context.askAgainMs !== null) context.askAgainMs = NOW_MS + (input.timer === 'retry' ? -1 : 1);
  return clone;
}

function finish(
  before: TerminalState,
  after: TerminalState,
  { input, trace }: { input: TerminalInput; trace: Trace },
): TerminalStep {
  const broken = brokenRules(before, after, { input, trace });
  for (const entry of [after.host!.action, after.journal]) if (entry) forgetTimes(entry);
  for (const item of trace) if ('saved' in item && item.saved) forgetTimes(item.saved);
  after.host!.lastSnapshot = forgottenTimes(after.host!.lastSnapshot);
  if (JSON.stringify(after.host!.action) !== JSON.stringify(after.journal)) broken.push('journalFirst');
  return { after, trace, broken };
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

function nameIn(topic: string): string {
  return parseTopic(topic)!.message;
}

function packetOf(name: string, payload: string): Packet {
  const { actionId, seq, ...body } = JSON.parse(payload) as { actionId?: string; seq: number };
  return { name, action: indexOfAction(actionId), seq, body: JSON.stringify(body) };
}
