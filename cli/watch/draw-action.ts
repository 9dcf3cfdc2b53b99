import { readTree } from '../../server/dashboard/chart/state-tree.ts';
import { amountOf, codeLabel, formatCountdown } from '../../server/dashboard/page/format.ts';
import type { ActionView, FleetTerminal, MachineShape } from '../../server/dashboard/view.ts';
import { type Colour, sanitizeText } from '../command-line/output.ts';
import type { FleetModel } from './fleet-model.ts';
import { type Row, type Span, columnsOf, fitToWidth } from './text-screen.ts';

/** Draws the selected terminal: its display, its action, and the states of its machine. */
export function actionRows(
  model: FleetModel,
  terminal: FleetTerminal,
  columns: number,
  sandboxMs: number,
): Row[] {
  const { action, screen } = terminal;
  const title = [sanitizeText(terminal.serialNumber), action && `${action.type} of ${amountOf(action)}`];
  const rows: Row[] = [titledRule(title.filter(Boolean).join('  '), columns)];
  if (screen.length > 0) rows.push([{ text: ' Display   ', colour: 'dim' }, { text: displayText(screen) }]);
  if (!action) return [...rows, [{ text: ' No action yet.', colour: 'dim' }]];
  rows.push(factsOf(action, sandboxMs));
  return [...rows, ...stateRows(statesOf(model, action), columns)];
}

export function titledRule(title: string, columns: number): Row {
  const text = ` ── ${title} `;
  return [
    { text: fitToWidth(text + '─'.repeat(Math.max(0, columns - columnsOf(text))), columns), colour: 'bold' },
  ];
}

function displayText(lines: readonly string[]): string {
  return lines.map(sanitizeText).filter(Boolean).join(' / ');
}

const STATUS_COLOURS: Record<ActionView['status'], Colour> = {
  InProgress: 'blue',
  Succeeded: 'green',
  Failed: 'red',
  Cancelled: 'yellow',
};

function factsOf(action: ActionView, sandboxMs: number): Row {
  const { status, errorCode, errorReason, lastEvent, deadlineMs } = action;
  const outcome = [status, errorCode && codeLabel(errorCode), errorReason && sanitizeText(errorReason)]
    .filter(Boolean)
    .join(', ');
  const left =
    status === 'InProgress' && deadlineMs !== null ? formatCountdown(deadlineMs - sandboxMs) : undefined;
  return [
    { text: ' Action    ', colour: 'dim' },
    { text: outcome, colour: STATUS_COLOURS[status] },
    ...(lastEvent ? [{ text: `   after ${sanitizeText(lastEvent)}` }] : []),
    ...(left === undefined ? [] : [{ text: '   deadline in ' }, { text: left, colour: 'bold' as const }]),
  ];
}

interface ShownState {
  name: string;
  progress: 'now' | 'past' | 'not';
}

function statesOf({ machine, entries }: FleetModel, action: ActionView): ShownState[] {
  const visited = new Set(
    entries.flatMap(({ step, actionId }) =>
      step && actionId === action.id && step.machineId === machine?.machineId ? [step.state] : [],
    ),
  );
  const paths = machine ? leavesOf(machine) : [...visited];
  const all = action.state !== null && !paths.includes(action.state) ? [...paths, action.state] : paths;
  const named = shortNames(all);
  return all.map((path, at) => ({
    name: named[at]!,
    progress: path === action.state ? 'now' : visited.has(path) ? 'past' : 'not',
  }));
}

/** Shortens each path to its last part where that is unique. */
function shortNames(paths: readonly string[]): string[] {
  const last = paths.map((path) => path.split('.').at(-1)!);
  return paths.map((path, at) => (last.filter((name) => name === last[at]).length > 1 ? path : last[at]!));
}

const leaves = new WeakMap<MachineShape, string[]>();

/** Returns the atomic states of a machine; none when its description cannot be read. */
function leavesOf(machine: MachineShape): string[] {
  const known = leaves.get(machine);
  if (known) return known;
  let paths: string[] = [];
  try {
    const { states } = readTree(machine);
    paths = states
      .filter(({ children, path }) => children.length === 0 && path !== '')
      .map(({ path }) => path);
  } catch {
    // A terminal sends the description, which may be invalid.
  }
  leaves.set(machine, paths);
  return paths;
}

const MARKS = { now: '●', past: '✓', not: '·' } as const;
const COLOURS: Record<ShownState['progress'], Colour | undefined> = {
  now: 'inverse',
  past: 'green',
  not: 'dim',
};
const INDENT = ' States    ';

/** Draws the states side by side, in as many rows as they take. */
function stateRows(states: readonly ShownState[], columns: number): Row[] {
  const rows: Span[][] = [];
  let left = 0;
  for (const { name, progress } of states) {
    const text = `${MARKS[progress]} ${sanitizeText(name)}`;
    if (columnsOf(text) + 2 > left) {
      rows.push([{ text: rows.length === 0 ? INDENT : ' '.repeat(INDENT.length), colour: 'dim' }]);
      left = columns - INDENT.length;
    }
    rows.at(-1)!.push({ text, colour: COLOURS[progress] }, { text: '  ' });
    left -= columnsOf(text) + 2;
  }
  return rows;
}
