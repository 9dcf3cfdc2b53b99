import { after, type Timer } from '../../protocol/clock.ts';
import { connect, type Socket, type SocketEvents } from '../../server/dashboard/page/link/connection.ts';
import type { Move } from '../process/keyboard.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { drawFleet } from './draw-fleet.ts';
import { selectTerminal, emptyModel, applyMessage, watchTarget, type FleetModel } from './fleet-model.ts';
import { openTextScreen } from './text-screen.ts';
import { printLine, sanitizeText } from '../command-line/output.ts';
import { amountOf, statusText, formatTime } from '../../server/dashboard/page/format.ts';
import type { FleetTerminal } from '../../server/dashboard/view.ts';

interface WatchParts {
  url: string;
  /** Fetches a dashboard token; rejects when that fails. */
  token(): Promise<string>;
  open(events: SocketEvents): Socket;
}

// Redraws clock and deadlines.
const TICK_MS = 250;
const PAGE = 10;

/**
 * Shows the fleet until the person quits or the command is interrupted: on a full screen, or as lines when the output
 * is not a terminal. The previous screen is restored at the end.
 */
export async function watchFleet(context: CommandContext, parts: WatchParts): Promise<void> {
  const { clock, out } = context;
  let model = emptyModel(parts.url);
  let token: Promise<string> | undefined;
  const view = out.display ? openScreen(context, () => model, move) : openLines(context);

  const connection = connect({
    clock,
    open: parts.open,
    token: () => (token ??= parts.token()),
    onTokenRejected: () => (token = undefined),
    onState(link) {
      if (link.kind === 'disconnected') token = undefined;
      change({ ...model, link });
    },
    onMessages: (messages) =>
      change(messages.reduce((seen, message) => applyMessage(seen, message, clock.nowMs()), model)),
    initialMessages: () => [{ type: 'watch', target: watchTarget(model) }],
  });

  function change(to: FleetModel): void {
    const before = model;
    model = to;
    if (to.selectedId !== before.selectedId) connection.send({ type: 'watch', target: watchTarget(to) });
    view.show(to);
  }
  function move(where: Move): void {
    const { terminals, selectedId } = model;
    const at = terminals.findIndex(({ id }) => id === selectedId);
    const last = terminals.length - 1;
    const by = { up: -1, down: 1, pageUp: -PAGE, pageDown: PAGE, first: -last, last, quit: 0 }[where];
    const to = terminals[Math.max(0, Math.min(last, at + by))];
    if (to) change(selectTerminal(model, to.id));
  }

  try {
    view.show(model);
    await view.ended;
  } finally {
    connection.close();
    view.close();
  }
}

interface View {
  show(model: FleetModel): void;
  /** Resolves when the person quits. */
  ended: Promise<void>;
  close(): void;
}

function openLines({ out, err, clock, interrupted }: CommandContext): View {
  const print = createPrinter(out);
  let wasAway = false;
  return {
    show(model) {
      const isDisconnected = model.link.kind === 'disconnected';
      if (isDisconnected && !wasAway) printLine(err, `disconnected from ${model.url}, retrying`);
      if (model.link.kind !== 'connecting') wasAway = isDisconnected;
      print(model, clock.nowMs());
    },
    ended: aborted(interrupted),
    close: () => {},
  };
}

function openScreen(
  { out, clock, keyboard, interrupted }: CommandContext,
  model: () => FleetModel,
  move: (to: Move) => void,
): View {
  const display = out.display!;
  const screen = openTextScreen(out, display);
  let onQuit = () => {};
  const quit = new Promise<void>((resolve) => (onQuit = resolve));
  const show = () => screen.show(drawFleet(model(), display.size(), clock.nowMs()));
  const stopKeys = keyboard.onMove((to) => (to === 'quit' ? onQuit() : move(to)));
  const stopResizing = display.onResize(() => {
    screen.forget();
    show();
  });
  let timer: Timer;
  const tick = () => {
    show();
    timer = after(clock, TICK_MS, tick);
  };
  timer = after(clock, TICK_MS, tick);
  return {
    show,
    ended: Promise.race([quit, aborted(interrupted)]),
    close() {
      timer.cancel();
      stopKeys();
      stopResizing();
      screen.close();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Creates a function that prints a line for each terminal, and again whenever it changes. */
function createPrinter(out: Sink): (model: FleetModel, nowMs: number) => void {
  const printed = new Map<string, string>();
  return ({ terminals, clockAheadMs }, nowMs) => {
    for (const terminal of terminals) {
      const line = lineOf(terminal);
      if (printed.get(terminal.id) === line) continue;
      printed.set(terminal.id, line);
      printLine(out, `${formatTime(nowMs + clockAheadMs)}  ${line}`);
    }
    for (const id of printed.keys()) {
      if (!terminals.some((terminal) => terminal.id === id)) printed.delete(id);
    }
  };
}

function lineOf(terminal: FleetTerminal): string {
  const { serialNumber, online, action } = terminal;
  return [
    sanitizeText(serialNumber),
    online ? 'online' : 'offline',
    sanitizeText(statusText(terminal)),
    ...(action ? [action.type, amountOf(action), action.status] : []),
    ...(action?.status === 'InProgress' && action.lastEvent
      ? [`after ${sanitizeText(action.lastEvent)}`]
      : []),
  ].join('  ');
}
