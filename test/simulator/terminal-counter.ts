import { memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import type { ActionStep } from '../../agent/lifecycle/action-transition.ts';
import { createLog } from '../../protocol/log.ts';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { deviceNamed } from '../../simulator/profiles/device-profile.ts';
import { createSimulatedTerminal, type SimulatedTerminalParts } from '../../simulator/simulated-terminal.ts';
import type { SimulatedTerminalState } from '../../simulator/terminal-state.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { fakeServer, terminalIdOf, type FakeServerMemory } from './fake-server.ts';

export const COUNTER_ID = terminalIdOf(1);
const START_MS = Date.UTC(2026, 0, 5, 9);

interface CounterOptions extends Partial<SimulatedTerminalParts> {
  clock?: VirtualClock;
  journal?: ActionJournal;
  /** Whether the server answers requests to authorise. */
  decides?: boolean;
  memory?: FakeServerMemory;
}

/** A simulated terminal with a fake server, each on its own. Nothing has happened yet. */
function openCounter({ decides, memory, ...parts }: CounterOptions = {}) {
  const clock = parts.clock ?? new VirtualClock(START_MS);
  const journal = parts.journal ?? memoryJournal();
  const server = fakeServer(clock, {
    ...(decides !== undefined && { decides }),
    ...(memory && { memory }),
  });
  const lines: string[] = [];
  const steps: ActionStep[] = [];
  const terminal = createSimulatedTerminal({
    terminalId: COUNTER_ID,
    device: deviceNamed('pax-a920-pro')!,
    credentials: { clientId: COUNTER_ID, username: COUNTER_ID, password: 'hush-hush' },
    connect: server.broker.connect,
    log: createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } }),
    cardholder: { script: 'tap' },
    onStep: (step) => void steps.push(step),
    ...parts,
    clock,
    journal,
  });
  return {
    clock,
    journal,
    server,
    terminal,
    /** Log lines. */
    lines,
    steps,
    /** Performs acts, with a moment for each to take effect. */
    async perform(...acts: SimulationAct[]): Promise<void> {
      for (const act of acts) {
        terminal.perform(act);
        await clock.advance(0);
      }
    },
  };
}

export type Counter = ReturnType<typeof openCounter>;

/** Opens a counter and switches its terminal on. */
export async function startCounter(options: CounterOptions = {}): Promise<Counter> {
  const counter = openCounter(options);
  counter.terminal.start();
  await counter.clock.advance(0);
  return counter;
}

/** Opens a counter whose terminal starts in an exported state, with a copy of the server's memory, at the same time. */
export function openFork(
  { clock, server }: Counter,
  state: SimulatedTerminalState,
  options: CounterOptions = {},
): Counter {
  return openCounter({
    clock: new VirtualClock(clock.nowMs()),
    memory: server.memory,
    ...options,
    state,
  });
}
