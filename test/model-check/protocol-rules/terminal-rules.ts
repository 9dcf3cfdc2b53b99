import type { TerminalInput, TerminalState, Trace } from '../terminal-model.ts';
import type { StepProperty } from '../step-properties.ts';
import { countsCopies, keepsWhatMatters, reportsAreTrue } from './contents.ts';
import { nextState, reasonToGiveUp } from './next-state.ts';
import { reportsOf, sentIn, tasksOf } from './reports.ts';
import { displayIsRight, statusIn, waitsAsLong } from './shown.ts';
import { moveOf, type TerminalMove } from './terminal-move.ts';

/** What docs/protocol.md says of each step of a terminal, by the name of the property. */
const RULES: Partial<Record<StepProperty, (move: TerminalMove) => boolean>> = {
  givesUp: (move) => {
    const reason = reasonToGiveUp(move);
    const hasGivenUp = move.from !== move.to && /^(abandoning|reversing)$/.test(move.to ?? '');
    if (reason === undefined || !hasGivenUp) return reason === undefined && !hasGivenUp;
    const { code, reason: words } = move.after!;
    return code === reason && words === (move.detail['reason'] ?? null);
  },
  goesOn: (move) => {
    const next = nextState(move);
    return next === undefined || next === move.to;
  },
  ignoresForeign: (move) => {
    if (nextState(move) !== undefined || !move.from) return true;
    const { before, after } = move.snapshots;
    return textOf(before) === textOf(after) && tasksIn(move).every((did) => did === HEARS);
  },
  reportsInOrder: (move) =>
    isSame(
      sentIn(move).map(({ name }) => name),
      reportsOf(move),
    ),
  reportsTrue: reportsAreTrue,
  devicesAsked: (move) =>
    isSame(
      tasksIn(move).filter((did) => !did.startsWith('stops the reader') && did !== HEARS),
      tasksOf(move),
    ),
  readerKnows: (move) => isReaderTold(move),
  readerStops: ({ to, states: { after } }) => !to || USES_READER.test(to) || after.reader === 'off',
  releasedFirst: (move) => {
    const tasks = tasksIn(move);
    return !tasks.includes('reverses at the device') || tasks.indexOf('stops the reader') <= 0;
  },
  toldFirst: ({ trace, states }) => {
    if (!states.after.online) return true;
    const at = (holds: (item: Trace[number]) => boolean) => trace.findIndex(holds);
    const request = at((item) => 'did' in item && item.did === 'sends the request');
    return request < 0 || at((item) => 'sent' in item && item.sent.body.includes('Pending')) < request;
  },
  chipDataCleared: ({ to, after }) => !after?.chip || /^(awaitingPin|verifyingPin|authorising)$/.test(to!),
  keepsWhatMatters,
  copiesCounted: countsCopies,
  displayRight: displayIsRight,
  statusShownRight: ({ to, states: { after } }) =>
    !to || after.shown === null || after.shown === statusIn(to),
  waitsAsLong,
};

const HEARS = 'hears that a person settles it';

/** Whether the reader hears of each report that the outcome is unknown, and at the end whether it was paid. */
function isReaderTold(move: TerminalMove): boolean {
  const { states, from, to } = move;
  const tasks = tasksIn(move);
  const wasOn = states.before.reader !== 'off' || tasks.includes('starts the reader');
  const unknown = sentIn(move).filter(({ body }) => body.includes('"outcome":"Unknown"')).length;
  const isPaid = wasOn && to === 'succeeded' && from !== to;
  return (
    tasks.filter((did) => did === HEARS).length === (wasOn && to === 'outcomeUnknown' ? unknown : 0) &&
    tasks.includes('stops the reader, paid') === isPaid
  );
}

const USES_READER =
  /^(awaitingCard|atDevice|outcomeUnknown|reading|awaitingPin|verifyingPin|authorising|completingCard)$/;

/** Returns the names of the rules that a step of a terminal breaks. */
export function brokenProtocolRules(
  before: TerminalState,
  after: TerminalState,
  step: { input: TerminalInput; trace: Trace },
): string[] {
  const move = moveOf(before, after, step);
  if (!move) return [];
  return Object.entries(RULES).flatMap(([name, holds]) => (holds(move) ? [] : [name]));
}

function tasksIn({ trace }: TerminalMove): string[] {
  return trace.flatMap((item) => ('did' in item ? [item.did] : []));
}

function textOf(snapshot: unknown): string {
  const { value, context } = snapshot as { value: unknown; context: object };
  return JSON.stringify([value, context]);
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.join() === right.join();
}
