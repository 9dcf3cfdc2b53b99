import { amountOf, formatCountdown, statusText, formatTime } from '../../server/dashboard/page/format.ts';
import type { FleetTerminal, Lane, TimelineEntry } from '../../server/dashboard/view.ts';
import { type Colour, sanitizeText } from '../command-line/output.ts';
import { actionRows, titledRule } from './draw-action.ts';
import type { FleetModel } from './fleet-model.ts';
import { type Row, type Span, columnsOf, fitToWidth } from './text-screen.ts';

/** Labels of the lanes. Steps of the terminal's own machine are labelled `step`. */
const LANE_WORDS: Record<Lane, string> = { api: 'API', wire: 'wire', machine: 'server', events: 'event' };
const TONES: Record<TimelineEntry['tone'], Colour | undefined> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  warn: 'yellow',
};

/** Draws the last events of the selected terminal, as many as fit into `rows`. */
function eventRows({ entries, machine }: FleetModel, columns: number, rows: number): Row[] {
  if (rows < 2) return [];
  const last = entries.slice(1 - rows).map((entry): Row => {
    const { atMs, lane, title, tone, step } = entry;
    const event = step ? `   ${sanitizeText(step.event)}` : '';
    const word = step && step.machineId === machine?.machineId ? 'step' : LANE_WORDS[lane];
    return [
      { text: ` ${formatTime(atMs)}  ${word.padEnd(7)}`, colour: 'dim' },
      { text: sanitizeText(title), colour: TONES[tone] },
      { text: event, colour: 'dim' },
    ];
  });
  const none: Row[] = last.length === 0 ? [[{ text: ' No entries yet.', colour: 'dim' }]] : [];
  return [titledRule('Events', columns), ...last, ...none];
}

interface ScreenSize {
  columns: number;
  rows: number;
}

// With fewer rows only the list is shown.
const ROWS_FOR_ACTION = 14;
const EVENTS_MIN = 3;
const LIST_MIN = 3;

/** Draws the whole screen. @param nowMs local time */
export function drawFleet(model: FleetModel, size: ScreenSize, nowMs: number): Row[] {
  const { columns, rows } = size;
  const sandboxMs = nowMs + model.clockAheadMs;
  const terminal = model.terminals.find(({ id }) => id === model.selectedId);
  const below = rows >= ROWS_FOR_ACTION && terminal ? actionRows(model, terminal, columns, sandboxMs) : [];
  const room = rows - 3 - below.length;
  const listed = Math.max(
    1,
    Math.min(model.terminals.length || 1, below.length > 0 ? roomForList(room) : room),
  );
  const events = below.length > 0 ? eventRows(model, columns, room - listed) : [];
  const body = [
    head(model, columns, sandboxMs),
    tableHead(columns),
    ...list(model, listed, columns, sandboxMs),
  ];
  const filled = [...body, ...below, ...events];
  const blank = Array.from({ length: Math.max(0, rows - 1 - filled.length) }, (): Row => []);
  return [...filled.slice(0, rows - 1), ...blank, foot(model, columns)];
}

/** At most half of the rows; the events get the rest. */
function roomForList(room: number): number {
  return Math.max(LIST_MIN, Math.min(room - EVENTS_MIN - 1, Math.floor(room / 2)));
}

function head(model: FleetModel, columns: number, sandboxMs: number): Row {
  const { link, url, offsetMs, mode } = model;
  const ahead = offsetMs > 0 ? ` (${span(offsetMs)} ahead)` : '';
  const time =
    link.kind === 'connecting' && model.terminals.length === 0 ? '' : `${formatTime(sandboxMs)} UTC${ahead}`;
  const left = [' Tapbench', time, mode === 'live' ? 'live keys' : '', sanitizeText(url)]
    .filter(Boolean)
    .join('  ');
  const state = linkSpan(model);
  return [
    { text: fitToWidth(left, columns - columnsOf(state.text) - 1), colour: 'bold' },
    state,
    { text: ' ' },
  ];
}

function span(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours > 0 ? `${hours} h` : `${Math.max(1, Math.round(ms / 1000))} s`;
}

function linkSpan({ link }: FleetModel): Span {
  if (link.kind === 'online') return { text: '● connected', colour: 'green' };
  if (link.kind === 'connecting') return { text: '○ connecting', colour: 'yellow' };
  return { text: '○ disconnected, retrying', colour: 'red' };
}

/** Column widths of the list; the name takes the rest. */
const WIDTHS = { serial: 14, state: 34, amount: 14, deadline: 8 };

function tableHead(columns: number): Row {
  return [
    {
      text: fitToWidth(cells(columns, ['TERMINAL', 'NAME', 'STATE', 'AMOUNT', 'DEADLINE']), columns),
      colour: 'dim',
    },
  ];
}

function cells(
  columns: number,
  [serial, name, state, amount, deadline]: [string, string, string, string, string],
): string {
  const fixed = 3 + WIDTHS.serial + 1 + WIDTHS.amount + 1 + WIDTHS.deadline;
  const state34 = columns - fixed - 2 >= WIDTHS.state + 12 ? WIDTHS.state : columns - fixed - 1;
  const named = columns - fixed - 2 - state34;
  return [
    '  ',
    fitToWidth(serial, WIDTHS.serial),
    named >= 10 ? ` ${fitToWidth(name, named)}` : '',
    ` ${fitToWidth(state, state34)}`,
    fitToWidth(amount, WIDTHS.amount).trimEnd().padStart(WIDTHS.amount),
    ' ',
    fitToWidth(deadline, WIDTHS.deadline).trimEnd().padStart(WIDTHS.deadline),
  ].join('');
}

function list(model: FleetModel, count: number, columns: number, sandboxMs: number): Row[] {
  const { terminals, selectedId, link } = model;
  if (terminals.length === 0) {
    const words = link.kind === 'online' ? "no terminals; 'tapbench terminals add' registers one" : '';
    return [[{ text: `  ${words}`, colour: 'dim' }]];
  }
  const at = Math.max(
    0,
    terminals.findIndex(({ id }) => id === selectedId),
  );
  const first = Math.max(0, Math.min(at - Math.floor(count / 2), terminals.length - count));
  return terminals.slice(first, first + count).map((terminal) => {
    const isChosen = terminal.id === selectedId;
    const text = fitToWidth(cells(columns, cellsOf(terminal, sandboxMs)), columns);
    const colour = isChosen ? 'inverse' : colourOf(terminal);
    return [{ text: isChosen ? `▸${text.slice(1)}` : text, colour }];
  });
}

function cellsOf(terminal: FleetTerminal, sandboxMs: number): [string, string, string, string, string] {
  const { serialNumber, name, action } = terminal;
  const running = action?.status === 'InProgress';
  const deadline =
    running && action.deadlineMs !== null ? formatCountdown(action.deadlineMs - sandboxMs) : '';
  return [
    sanitizeText(serialNumber),
    sanitizeText(name),
    sanitizeText(statusText(terminal)),
    action ? amountOf(action) : '',
    deadline,
  ];
}

function colourOf({ online, action }: FleetTerminal): Colour | undefined {
  if (action?.status === 'InProgress') return online ? 'blue' : 'yellow';
  if (!online) return 'dim';
  if (action?.status === 'Failed') return 'red';
  return action?.status === 'Succeeded' ? 'green' : undefined;
}

function foot({ terminals, selectedId }: FleetModel, columns: number): Row {
  const online = terminals.filter((terminal) => terminal.online).length;
  const active = terminals.filter(({ action }) => action?.status === 'InProgress').length;
  const at = terminals.findIndex(({ id }) => id === selectedId) + 1;
  const counts = `${terminals.length} ${terminals.length === 1 ? 'terminal' : 'terminals'}, ${online} online, ${active} active `;
  const keys = ` ↑ ↓ terminal${at > 0 ? ` ${at}/${terminals.length}` : ''}   q quit `;
  const room = columns - columnsOf(keys);
  const text = columnsOf(counts) <= room ? ' '.repeat(room - columnsOf(counts)) + counts : '';
  return [{ text: fitToWidth(keys + text, columns), colour: 'dim' }];
}
