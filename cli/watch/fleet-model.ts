import type { LinkState } from '../../server/dashboard/page/link/connection.ts';
import type {
  FleetTerminal,
  LiveMessage,
  MachineShape,
  Subject,
  TimelineEntry,
} from '../../server/dashboard/view.ts';

/** What is known of a server and its fleet, as its dashboard tells it. */
export interface FleetModel {
  url: string;
  link: LinkState;
  mode: 'sandbox' | 'live';
  /** How far the sandbox's clock is ahead of ours. */
  clockAheadMs: number;
  /** How far it is ahead of the server's own. */
  offsetMs: number;
  /** By name. */
  terminals: readonly FleetTerminal[];
  selectedId: string | null;
  /** Of the terminal that is chosen; empty until it is told. */
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

/** The model after a message. @param nowMs of our own clock */
export function applyMessage(model: FleetModel, message: LiveMessage, nowMs: number): FleetModel {
  switch (message.type) {
    case 'hello': {
      const told = { ...model, mode: message.mode, ...timeOf(message.clock, nowMs) };
      return withTerminals(told, message.terminals);
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
      if (message.subject.id !== model.selectedId) return model;
      return { ...model, machine: message.machine, entries: message.entries };
    case 'entry':
      return { ...model, entries: added(model.entries, message.entry) };
    case 'reset':
      return withTerminals({ ...model, machine: null, entries: [] }, []);
    case 'webhook':
      return model;
  }
}

/** Another terminal is looked at; what is known of the one before is of no use. */
export function selectTerminal(model: FleetModel, selectedId: string | null): FleetModel {
  return selectedId === model.selectedId ? model : { ...model, selectedId, machine: null, entries: [] };
}

/** What the server is asked to tell of. */
export function watchedSubject({ selectedId }: FleetModel): Subject | null {
  return selectedId === null ? null : { kind: 'terminal', id: selectedId };
}

function timeOf(clock: { nowMs: number; offsetMs: number }, nowMs: number) {
  return { clockAheadMs: clock.nowMs - nowMs, offsetMs: clock.offsetMs };
}

const byName = new Intl.Collator('en', { numeric: true });

function withTerminals(model: FleetModel, terminals: readonly FleetTerminal[]): FleetModel {
  const sorted = [...terminals].sort(
    (a, b) => byName.compare(a.name, b.name) || byName.compare(a.serialNumber, b.serialNumber),
  );
  const isThere = sorted.some(({ id }) => id === model.selectedId);
  return selectTerminal(
    { ...model, terminals: sorted },
    isThere ? model.selectedId : (sorted[0]?.id ?? null),
  );
}

/** In the order of their numbers: a call that takes long is told after what it brought about. */
function added(known: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  const others = known.filter(({ seq }) => seq !== entry.seq);
  return [...others, entry].sort((a, b) => a.seq - b.seq).slice(-ENTRIES_KEPT);
}
