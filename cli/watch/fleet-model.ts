import { compareTerminals } from '../../server/dashboard/page/fleet/fleet-list.ts';
import type { ConnectionState } from '../../server/dashboard/page/link/connection.ts';
import type {
  FleetTerminal,
  LiveMessage,
  MachineShape,
  WatchTarget,
  TimelineEntry,
} from '../../server/dashboard/view.ts';

/** State of the screen: a server and its terminals, from the messages of its dashboard. */
export interface FleetModel {
  url: string;
  link: ConnectionState;
  mode: 'sandbox' | 'live';
  /** How far the sandbox clock is ahead of the local clock. */
  clockAheadMs: number;
  /** How far the sandbox clock is ahead of the server's own clock. */
  offsetMs: number;
  /** In the order of `compareTerminals`. */
  terminals: readonly FleetTerminal[];
  selectedId: string | null;
  /** Machine and timeline of the selected terminal; empty until received. */
  machine: MachineShape | null;
  entries: readonly TimelineEntry[];
}

const ENTRIES_KEPT = 500;

export function emptyModel(url: string): FleetModel {
  return {
    url,
    link: { kind: 'connecting' },
    mode: 'sandbox',
    clockAheadMs: 0,
    offsetMs: 0,
    terminals: [],
    selectedId: null,
    machine: null,
    entries: [],
  };
}

/** Returns the model after a message. @param nowMs local time */
export function applyMessage(model: FleetModel, message: LiveMessage, nowMs: number): FleetModel {
  switch (message.type) {
    case 'hello': {
      const updated = { ...model, mode: message.mode, ...timeOf(message.clock, nowMs) };
      return withTerminals(updated, message.terminals);
    }
    case 'clock':
      return { ...model, ...timeOf(message.clock, nowMs) };
    case 'terminal': {
      const others = model.terminals.filter(({ id }) => id !== message.terminal.id);
      return withTerminals(model, [...others, message.terminal]);
    }
    case 'terminal.gone':
      return withTerminals(
        model,
        model.terminals.filter(({ id }) => id !== message.terminalId),
      );
    case 'timeline':
      if (message.target.id !== model.selectedId) return model;
      return { ...model, machine: message.machine, entries: message.entries };
    case 'entry':
      return { ...model, entries: added(model.entries, message.entry) };
    case 'reset':
      return withTerminals({ ...model, machine: null, entries: [] }, []);
    case 'webhook':
      return model;
  }
}

/** Returns the model with another terminal selected, without the timeline of the previous one. */
export function selectTerminal(model: FleetModel, selectedId: string | null): FleetModel {
  return selectedId === model.selectedId ? model : { ...model, selectedId, machine: null, entries: [] };
}

/** Returns the target to subscribe to. */
export function watchTarget({ selectedId }: FleetModel): WatchTarget | null {
  return selectedId === null ? null : { kind: 'terminal', id: selectedId };
}

function timeOf(clock: { nowMs: number; offsetMs: number }, nowMs: number) {
  return { clockAheadMs: clock.nowMs - nowMs, offsetMs: clock.offsetMs };
}

function withTerminals(model: FleetModel, terminals: readonly FleetTerminal[]): FleetModel {
  const sorted = [...terminals].sort(compareTerminals);
  const isThere = sorted.some(({ id }) => id === model.selectedId);
  return selectTerminal(
    { ...model, terminals: sorted },
    isThere ? model.selectedId : (sorted[0]?.id ?? null),
  );
}

/** Inserts an entry by its number: a call is reported after the entries that it caused. */
function added(known: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  const others = known.filter(({ seq }) => seq !== entry.seq);
  return [...others, entry].sort((a, b) => a.seq - b.seq).slice(-ENTRIES_KEPT);
}
