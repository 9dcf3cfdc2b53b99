import type { AgentParts } from '../agent/agent.ts';
import type { ActionStep } from '../agent/lifecycle/action-run.ts';
import type { ActionJournal } from '../agent/lifecycle/action-journal.ts';
import type { Clock } from '../protocol/clock.ts';
import { messageOf } from '../protocol/failures.ts';
import type { Random } from '../protocol/ids.ts';
import type { Connector, Link } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import type { SimulationAct } from '../protocol/messages/sandbox.messages.ts';
import type { CardholderOptions } from './cardholder.ts';
import { createControlLink, type ControlLinkParts } from './control-link.ts';
import { createPairing, type Pairing, type PairingRequest, type SandboxApi } from './pairing.ts';
import { deviceOfType } from './profiles/device-profile.ts';
import {
  createSimulatedTerminal,
  type SimulatedTerminal,
  type SimulationReply,
} from './simulated-terminal.ts';

/** Something that a person who watches a fleet wants to read. */
export type FleetNotice =
  | { what: 'started' | 'removed'; terminalId: string }
  | { what: 'refused'; terminalId: string; reason: string }
  | { what: 'screen'; terminalId: string; lines: string[] }
  | ({ what: 'stepped'; terminalId: string } & ActionStep)
  | { what: 'simulated'; terminalId: string; act: SimulationAct; outcome: SimulationReply };

export interface FleetParts {
  /** How the control link reaches the broker, and the terminals too unless `connectTerminal` says otherwise. */
  connect: Connector;
  connectTerminal?: Connector;
  clock: Clock;
  random: Random;
  api: SandboxApi;
  log: Log;
  journalFor(terminalId: string): ActionJournal;
  /** Who stands in front of each terminal; a person who taps after a second by default. */
  cardholder?: CardholderOptions;
  /** In place of the devices' own, milliseconds. */
  readLatencyMs?: number | undefined;
  onClockOffset?: AgentParts['onClockOffset'] | undefined;
  /** What a pairing asks for; by default it is granted in any state of the terminal. */
  pairing?: PairingRequest;
  /** Without it nothing is noticed, and a step of a terminal costs the fleet nothing. */
  onNotice?: ((notice: FleetNotice) => void) | undefined;
}

interface FleetMember {
  terminalId: string;
  /** The `device.type` that the API shows; picks the device profile. */
  deviceType?: string;
  cardholder?: CardholderOptions;
}

/** Many simulated terminals in one process, with one control link for all of them. */
export interface Fleet {
  /**
   * Pairs a terminal and starts it. Resolves once it is started, or was removed meanwhile; at once when it is
   * in the fleet already. Passing failures are logged and tried again.
   * @throws Fault `server_answer` when the server refuses to pair it.
   */
  add(member: FleetMember): Promise<void>;
  /** Stops a terminal and forgets it; nothing happens when it is not in the fleet. */
  remove(terminalId: string): Promise<void>;
  /** The terminals that were started. */
  terminals(): SimulatedTerminal[];
  terminal(terminalId: string): SimulatedTerminal | undefined;
  /** Resolves when the control link has been online: from then on `/sandbox` calls reach the fleet. */
  controlled(): Promise<void>;
  close(): Promise<void>;
}

export function createFleet(parts: FleetParts): Fleet {
  const pairing = createPairing(parts);
  const slots = new Map<
    string,
    { gone: AbortController; terminal?: SimulatedTerminal; added: Promise<void> }
  >();
  const closing = new AbortController();

  const perform = (terminalId: string, act: SimulationAct): SimulationReply | undefined => {
    const outcome = slots.get(terminalId)?.terminal?.perform(act);
    if (outcome) parts.onNotice?.({ what: 'simulated', terminalId, act, outcome });
    return outcome;
  };
  const control = createControl(parts, pairing, perform, closing.signal);
  const begin = async (member: FleetMember, gone: AbortController) => {
    const { terminalId } = member;
    control.begin();
    try {
      const path = `/pairing/terminals/${encodeURIComponent(terminalId)}`;
      const credentials = await pairing.pair(path, gone.signal, parts.pairing);
      const slot = slots.get(terminalId);
      if (!credentials || slot?.gone !== gone) return;
      slot.terminal = createSimulatedTerminal({ ...terminalPartsOf(parts, member), credentials });
      slot.terminal.start();
      parts.onNotice?.({ what: 'started', terminalId });
    } catch (error) {
      if (slots.get(terminalId)?.gone === gone) slots.delete(terminalId);
      throw error;
    }
  };
  const remove = async (terminalId: string) => {
    const slot = slots.get(terminalId);
    if (!slot) return;
    slots.delete(terminalId);
    slot.gone.abort();
    await slot.terminal?.stop();
    parts.onNotice?.({ what: 'removed', terminalId });
  };

  return {
    add(member) {
      if (closing.signal.aborted) return Promise.resolve();
      const known = slots.get(member.terminalId);
      if (known) return known.added;
      const gone = new AbortController();
      const slot = { gone, added: Promise.resolve() };
      slots.set(member.terminalId, slot);
      slot.added = begin(member, gone);
      return slot.added;
    },
    remove,
    terminals: () => [...slots.values()].flatMap(({ terminal }) => terminal ?? []),
    terminal: (terminalId) => slots.get(terminalId)?.terminal,
    controlled: () => control.controlled,
    async close() {
      closing.abort();
      await Promise.all([...slots.keys()].map(remove));
      await control.close();
    },
  };
}

/** The control link of a fleet, which is wanted once there is a first terminal. */
function createControl(
  { connect, log }: FleetParts,
  pairing: Pairing,
  perform: ControlLinkParts['perform'],
  closing: AbortSignal,
) {
  let link: Link | undefined;
  let begun = false;
  let onOnline = () => {};
  const controlled = new Promise<void>((resolve) => (onOnline = resolve));

  const open = async () => {
    try {
      const credentials = await pairing.pair('/pairing/simulators', closing);
      if (!credentials) return;
      link = createControlLink({ credentials, connect, log, perform, onOnline });
      link.open();
    } catch (error) {
      log.error(
        { problem: messageOf(error) },
        'no control link: /sandbox calls do not reach these terminals',
      );
    }
  };
  return {
    controlled,
    begin() {
      if (!begun) void open();
      begun = true;
    },
    close: async () => link?.close(),
  };
}

const TAP: CardholderOptions = { script: 'tap' };

function terminalPartsOf(parts: FleetParts, { terminalId, deviceType, cardholder }: FleetMember) {
  const { connect, connectTerminal, clock, journalFor, log, readLatencyMs, onClockOffset, onNotice } = parts;
  const watch: Pick<AgentParts, 'onScreen' | 'onStep' | 'onRefused'> = onNotice
    ? {
        onScreen: (lines) => onNotice({ what: 'screen', terminalId, lines }),
        onRefused: (reason) => onNotice({ what: 'refused', terminalId, reason }),
        onStep: (step) => onNotice({ what: 'stepped', terminalId, ...step }),
      }
    : {};
  return {
    terminalId,
    device: deviceOfType(deviceType),
    connect: connectTerminal ?? connect,
    clock,
    journal: journalFor(terminalId),
    log,
    cardholder: cardholder ?? parts.cardholder ?? TAP,
    readLatencyMs,
    onClockOffset,
    ...watch,
  };
}
