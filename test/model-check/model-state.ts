import { indexOfAction } from './fixtures.ts';
import type { LocalSteps, ServerAt, TerminalAt } from './local-steps.ts';
import { renumbering, type Packet, type Way } from './network.ts';
import { currentAction } from './server-state.ts';

/** Everything at one moment: both sides and what is on its way between them. */
export interface ModelState {
  terminal: TerminalAt;
  server: ServerAt;
  /** Whether the server is connected to the broker. */
  connected: boolean;
  toTerminal: Way;
  toServer: Way;
  faultsLeft: number;
  /** Whether no fault has struck since the terminal has inquired for the last time, or at all. */
  inStep: boolean;
}

/** Returns a state with its sequence numbers made small. */
export function canonical(steps: LocalSteps, state: ModelState): ModelState {
  const { terminal, server, toTerminal, toServer } = state;
  const stored = steps.terminal(terminal);
  const held = indexOfAction((stored.host ? stored.host.action : stored.journal)?.actionId);
  const numbersOf = (way: Way, action: number) =>
    [...way.queue, ...way.late].filter((packet) => packet.action === action).map(({ seq }) => seq);
  const commands = server.numbers.map(({ sent }, action) =>
    renumbering([sent, ...numbersOf(toTerminal, action), ...(held === action ? [terminal.seen] : [])]),
  );
  const reports = server.numbers.map(({ seen }, action) =>
    renumbering([seen, ...numbersOf(toServer, action), ...(held === action ? [terminal.sent] : [])]),
  );
  return {
    ...state,
    terminal:
      held === null
        ? terminal
        : { ...terminal, sent: reports[held]!(terminal.sent), seen: commands[held]!(terminal.seen) },
    server: {
      ...server,
      numbers: server.numbers.map(({ sent, seen }, action) => ({
        sent: commands[action]!(sent),
        seen: reports[action]!(seen),
      })),
    },
    toTerminal: renumbered(toTerminal, commands),
    toServer: renumbered(toServer, reports),
  };
}

function renumbered({ queue, late }: Way, by: ((seq: number) => number)[]): Way {
  const map = (packet: Packet) =>
    packet.action === null ? packet : { ...packet, seq: by[packet.action]!(packet.seq) };
  return { queue: queue.map(map), late: late.map(map) };
}

/** Returns a text that is the same for the same state. */
export function keyOf(state: ModelState): string {
  const { terminal, server, connected, toTerminal, toServer, faultsLeft, inStep } = state;
  const numbers = server.numbers.map(({ sent, seen }) => `${sent}/${seen}`).join();
  return [
    terminal.id,
    terminal.sent,
    terminal.seen,
    server.id,
    numbers,
    connected ? 1 : 0,
    faultsLeft,
    inStep ? 1 : 0,
    keyOfWay(toTerminal),
    keyOfWay(toServer),
  ].join(';');
}

function keyOfWay({ queue, late }: Way): string {
  // Late messages arrive in any order.
  return `${queue.map(keyOfPacket).join('>')}~${late.map(keyOfPacket).sort().join('&')}`;
}

function keyOfPacket({ name, action, seq, body }: Packet): string {
  return `${name}${action}/${seq}${body.length > 200 ? body.length : body}`;
}

/** Whether nothing is on its way, and nothing prevents that it arrives. */
export function isQuiet(
  steps: LocalSteps,
  { terminal, connected, toTerminal, toServer }: ModelState,
): boolean {
  const { host, online } = steps.terminal(terminal);
  const waiting = [toTerminal, toServer].some(({ queue, late }) => queue.length + late.length > 0);
  return !waiting && host !== null && online && connected;
}

/** Whether nothing is open: no action in progress on either side or at a payment terminal, and nothing on its way. */
export function isSettled(steps: LocalSteps, state: ModelState): boolean {
  const { host, device, driver } = steps.terminal(state.terminal);
  const isIdle = device.request === null && driver.late === null;
  return isQuiet(steps, state) && !currentAction(steps.server(state.server)) && !host?.action && isIdle;
}
