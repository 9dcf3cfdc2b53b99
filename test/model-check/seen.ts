import { indexOfAction } from './fixtures.ts';
import type { ModelState } from './model-state.ts';
import type { Scenario } from './scenarios.ts';
import type { ServerAction, ServerState } from './server-state.ts';
import { snapshotOf, type StoredSnapshot, type TerminalState } from './terminal-model.ts';

/** A state with both sides. */
export interface Seen {
  state: ModelState;
  terminal: TerminalState;
  server: ServerState;
  /** Whether nothing is open any more. */
  settled: boolean;
  /** Whether nothing is on its way between them. */
  quiet: boolean;
  scenario: Scenario;
}

export interface Property {
  name: string;
  sentence: string;
  /** Absent for what a step or the whole graph shows. */
  holds?: (seen: Seen) => boolean;
}

/** Returns what holds for every action. */
export const every = (holds: (action: ServerAction, seen: Seen) => boolean) => (seen: Seen) =>
  seen.server.actions.every((action) => holds(action, seen));

/** Returns the action of the server that a snapshot of the terminal is about. */
export function actionOf({ server }: Seen, snapshot: StoredSnapshot): ServerAction | undefined {
  return server.actions[indexOfAction(snapshot.context.start.actionId)!];
}

/** Returns the snapshot of the terminal's action, on the run or in the journal. */
export function heldBy({ terminal }: Seen): StoredSnapshot | undefined {
  const entry = terminal.host ? terminal.host.action : terminal.journal;
  return entry ? snapshotOf(entry) : undefined;
}
