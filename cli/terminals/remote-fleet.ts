import type { ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import type { Agent } from '../../agent/agent.ts';
import { SystemClock, type Clock } from '../../protocol/clock.ts';
import type { Log } from '../../protocol/log.ts';
import type { CardholderOptions } from '../../simulator/cardholder.ts';
import { withNetworkFaults } from '../../simulator/network-faults.ts';
import { createFleet, type Fleet, type FleetActivity } from '../../simulator/fleet.ts';
import type { OutsidePrinter } from '../../simulator/outside-printer.ts';
import type { PairingRequest, SandboxApi } from '../../simulator/pairing.ts';
import { commandConnector } from './command-connector.ts';
import { commandLog, type LogOptions } from '../log/command-log.ts';
import type { CommandContext } from '../command-line/command-context.ts';

export interface RemoteFleetParts {
  options: LogOptions & { mqtt: string | undefined; url: string };
  api: SandboxApi;
  cardholder: CardholderOptions;
  journalFor(terminalId: string): ActionJournal;
  /** Seed of network faults for the terminals; the control link has none. */
  faults?: string | undefined;
  /** Conditions of each pairing; by default it is granted in any state of the terminal. */
  pairing?: PairingRequest;
  /** Creates the printer of the one terminal, in place of its own. */
  createPrinter?:
    ((parts: { clock: Clock; log: Log; trace: Agent['tracePrinter'] }) => OutsidePrinter) | undefined;
  onActivity?(activity: FleetActivity): void;
}

/** Starts simulated terminals in this process for a server elsewhere, on that server's clock. */
export function startRemoteFleet(context: CommandContext, parts: RemoteFleetParts): Fleet {
  const { options, api, cardholder, journalFor, faults, pairing, createPrinter, onActivity } = parts;
  const log = commandLog(context, options);
  const clock = new SystemClock();
  const { random } = context;
  const connect = commandConnector(context, { options, clock, log });
  return createFleet({
    connect,
    ...(faults !== undefined && { connectTerminal: withNetworkFaults(connect, { clock, seed: faults }) }),
    clock,
    random,
    api,
    log,
    journalFor,
    cardholder,
    onClock: ({ offsetMs }) => clock.setOffset(offsetMs),
    ...(pairing && { pairing }),
    ...(createPrinter && { createPrinter: (_id, trace) => createPrinter({ clock, log, trace }) }),
    ...(onActivity && { onActivity }),
  });
}
