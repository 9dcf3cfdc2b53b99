import { amountOf, statusText, formatTime } from '../../server/dashboard/page/format.ts';
import type { FleetTerminal } from '../../server/dashboard/view.ts';
import type { Sink } from '../command-line/command-context.ts';
import type { FleetModel } from './fleet-model.ts';
import { sanitizeText } from '../command-line/sanitize-text.ts';
import { printLine } from '../command-line/output.ts';

/** Creates a function that prints a line for each terminal, and again whenever it changes. */
export function createPrinter(out: Sink): (model: FleetModel, nowMs: number) => void {
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
