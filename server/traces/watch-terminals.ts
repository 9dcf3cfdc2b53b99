import { ALL_MESSAGES } from '../../protocol/messages.ts';
import type { Activity } from '../platform/activities.ts';
import type { Services } from '../platform/services.ts';
import type { Items } from './trace-items.ts';

/** The reports of simulators, which are those of no terminal. */
const OF_SIMULATORS = new Set(
  ALL_MESSAGES.filter(({ audience }) => audience === 'simulators').map(({ name }) => name),
);

/** A simulated terminal, as its simulator exports it. */
interface ExportedTerminal {
  terminalId: string;
  deviceType?: string;
  twin?: string;
  cardholder?: unknown;
  readLatencyMs?: number;
  state?: { cardholder?: { options?: unknown } };
}

/**
 * Records each simulated terminal when it is paired or comes online for the first time, and finds the terminals of other programs, whose
 * messages a replay cannot send.
 */
export function watchTerminals(services: Services, items: Items) {
  let current = services;
  const simulated = new Set<string>();
  const reporting = new Set<string>();
  const joined = new Set<string>();
  const places = new Map<string, ReturnType<Items['reserve']>>();
  let exporting: Promise<unknown> = Promise.resolve();

  async function attach(terminalId: string): Promise<void> {
    const place = places.get(terminalId)!;
    places.delete(terminalId);
    const terminals = ((await current.program.exportTerminals()) ?? []) as ExportedTerminal[];
    const found = terminals.find((terminal) => terminal.terminalId === terminalId);
    if (!found || simulated.has(terminalId)) return;
    simulated.add(terminalId);
    const { state, cardholder, ...member } = found;
    place.put(() => ({ kind: 'terminal', ...member, cardholder: state?.cardholder?.options ?? cardholder }));
  }

  function attachSoon(terminalId: string): void {
    exporting = Promise.all([exporting, attach(terminalId)]).catch(() => undefined);
  }

  /** Takes the place in the recording at which a terminal joins. */
  function join(terminalId: string): void {
    if (simulated.has(terminalId) || joined.has(terminalId)) return;
    joined.add(terminalId);
    places.set(terminalId, items.reserve());
  }

  function heard(activity: Activity): void {
    if (activity.kind === 'message.received' && !OF_SIMULATORS.has(activity.name))
      reporting.add(activity.terminalId);
    // A terminal is paired before its first message, unless that was before the recording, and runs once it is online.
    if (activity.kind === 'terminal.paired') join(activity.terminalId);
    if (activity.kind !== 'terminal.presence' || !activity.online) return;
    join(activity.terminalId);
    if (places.has(activity.terminalId)) attachSoon(activity.terminalId);
  }

  let unlisten = services.activities.listen('recording of terminals', heard);
  return {
    end: () => unlisten(),
    /** Goes on with another server on the same store. */
    continueWith(next: Services): void {
      unlisten();
      current = next;
      unlisten = next.activities.listen('recording of terminals', heard);
    },
    /** Takes note of the simulated terminals with which the recording begins, as exported. */
    knows(terminals: unknown): void {
      for (const { terminalId } of (terminals ?? []) as ExportedTerminal[]) simulated.add(terminalId);
    },
    async settled() {
      for (const terminalId of places.keys()) attachSoon(terminalId);
      await exporting;
    },
    /** Returns why the recording cannot be replayed, as far as its terminals are concerned. */
    obstacles: () =>
      [...reporting]
        .filter((id) => !simulated.has(id))
        .map((id) => `the terminal ${id} is not simulated: its messages cannot be sent again`),
  };
}
