import { amountOf, standing, timeOfDay } from '../../server/dashboard/page/wording.ts';
import type { FleetTerminal } from '../../server/dashboard/view.ts';
import type { Sink } from '../surroundings.ts';
import type { FleetModel } from './fleet-model.ts';
import { harmless } from './text-width.ts';

/** Prints a line for each terminal, and one more whenever something about it has changed. */
export function createPrinter(out: Sink): (model: FleetModel, nowMs: number) => void {
  const printed = new Map<string, string>();
  return ({ terminals, aheadMs }, nowMs) => {
    for (const terminal of terminals) {
      const line = lineOf(terminal);
      if (printed.get(terminal.id) === line) continue;
      printed.set(terminal.id, line);
      out.write(`${timeOfDay(nowMs + aheadMs)}  ${line}\n`);
    }
    for (const id of printed.keys()) {
      if (!terminals.some((terminal) => terminal.id === id)) printed.delete(id);
    }
  };
}

function lineOf(terminal: FleetTerminal): string {
  const { serialNumber, online, action } = terminal;
  return [
    harmless(serialNumber),
    online ? 'online' : 'offline',
    harmless(standing(terminal)),
    ...(action ? [action.type, amountOf(action), action.status] : []),
    ...(action?.status === 'InProgress' && action.lastEvent ? [`after ${harmless(action.lastEvent)}`] : []),
  ].join('  ');
}
