import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileJournal, memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import {
  localSimulatorCredentials,
  terminalCredentials,
} from '../../server/platform/broker/terminal-credentials.ts';
import { terminals as storedTerminals } from '../../server/api/in-person/terminals/terminal.records.ts';
import { isSimulated } from '../../server/api/in-person/terminals/terminal.rules.ts';
import { pairingGeneration } from '../../server/api/pairing/pairing.records.ts';
import type { Services } from '../../server/platform/services.ts';
import { strikesOf } from '../../server/sandbox-controls/faults/struck-terminals.ts';
import { createFleet, type Fleet, type FleetMember, type FleetParts } from '../../simulator/fleet.ts';
import type { SandboxApi } from '../../simulator/pairing.ts';
import { twinOf } from '../../simulator/twins/twins.ts';
import { trackOnlineTerminals } from '../terminals/online-terminals.ts';
import type { ServerApi } from '../client/api-client.ts';
import { isRunningElsewhere } from '../terminals/terminal-claim.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** The sandbox that a fleet belongs to. */
export interface FleetSandbox {
  services: Services;
  /** Connects a terminal in this process to the broker. */
  connect: Connector;
  /** Returns a client without the network. */
  api(): ServerApi;
  /** Holds the journals of the terminals; undefined when no data is kept. */
  dataDir: string | undefined;
  /**
   * The terminals of the sandbox that this one is a fork of, as exported there: how those without a journal start. Or
   * where they stood when the sandbox was closed to sleep.
   */
  terminals?: unknown;
  /** Whether `terminals` are where they stood, so that they start there although they have journals. */
  hasSlept?: boolean;
  /** Aborted when the sandbox closes: no terminal is waited for any more. */
  ending?: AbortSignal;
}

export interface LocalFleet {
  /** Resolves when all terminals of the start are online or not simulated here, or after ten seconds. */
  online: Promise<void>;
  /**
   * Starts listening for terminals that come online. The returned function resolves when all given terminals have
   * done so, or after ten seconds.
   */
  trackOnline(): (terminalIds: string[]) => Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the fleet of `tapbench up`. It simulates these terminals, and each terminal registered later whose serial
 * number begins with SIM and that no other simulator runs (docs/choices.md, Simulated terminals).
 */
export function startLocalFleet(
  context: CommandContext,
  sandbox: FleetSandbox,
  terminalIds: string[],
  /** Overrides the delays of cardholders and readers. */
  pace: Pick<FleetParts, 'cardholder' | 'readLatencyMs'> = {},
): LocalFleet {
  const { services, connect, dataDir } = sandbox;
  const { clock, activities, log } = services;
  const pairing = createLocalPairing(sandbox);
  const closed = new AbortController();
  const ending = sandbox.ending ? [sandbox.ending] : [];
  const tracker = trackOnlineTerminals({
    clock: context.clock,
    activities,
    givenUp: AbortSignal.any([context.interrupted, closed.signal, ...ending]),
  });
  const fleet: Fleet = createFleet({
    ...pace,
    connect,
    // The server's own clock, so that advancing sandbox time takes effect on both sides at once.
    clock,
    random: context.random,
    api: pairing.api,
    log,
    onActivity({ what, terminalId }) {
      if (what === 'refused') void leaveWhenTaken(terminalId);
      if (what === 'simulated') void leaveUnlessConnecting(terminalId);
    },
    onAct: (terminalId, act) => services.inputs.actPerformed(terminalId, act),
    ...strikesOf(() => services),
    journalFor: (terminalId) => journalIn(dataDir, terminalId),
    loadTill: async (language) => (await import('../../world/till-driver.ts')).loadTill(language),
    loadPrinter: async () => (await import('../../world/twin-printer.ts')).createTwinPrinter,
  });
  services.program.onExport(() => fleet.exportState());
  // One without power or network would be waited for in vain: it is ready once calls to switch them on reach it.
  const leaveUnlessConnecting = async (terminalId: string) => {
    if (fleet.terminal(terminalId)?.canConnect) return;
    await fleet.controlled();
    tracker.leave(terminalId);
  };
  const add = async (terminalId: string) => {
    if (await addTo(fleet, sandbox, terminalId)) await leaveUnlessConnecting(terminalId);
    else tracker.leave(terminalId);
  };
  // An external broker may refuse valid credentials that it does not know yet; then the link keeps trying.
  const leaveWhenTaken = async (terminalId: string) => {
    if (await isCurrentOrUnread(pairing, terminalId, log)) return;
    if (fleet.terminal(terminalId) === undefined) return;
    await fleet.remove(terminalId);
    tracker.leave(terminalId);
    log.warn(
      { terminalId },
      'a terminal was paired with another program: it is not simulated here until the next start',
    );
  };
  activities.listen('simulated fleet', (activity) => {
    if (activity.kind === 'terminal.removed') {
      void fleet.remove(activity.terminalId);
      tracker.leave(activity.terminalId);
    }
    if (activity.kind !== 'terminal.registered' || activity.simulatedBy !== null) return;
    if (isSimulated(activity.serialNumber)) void add(activity.terminalId);
  });
  const online = tracker.track()(terminalIds);
  for (const terminalId of terminalIds) void add(terminalId);
  const close = () => {
    closed.abort();
    return fleet.close();
  };
  return { online, trackOnline: tracker.track, close };
}

/** Adds a terminal to a fleet. Returns whether it is simulated there; the log has why not. */
async function addTo(fleet: Fleet, sandbox: FleetSandbox, terminalId: string): Promise<boolean> {
  const { dataDir, ending } = sandbox;
  const { log } = sandbox.services;
  try {
    // An agent that took the terminal over may still run. Two clients with one client id would disconnect each other in
    // turn.
    if (dataDir === undefined || !(await isRunningElsewhere(dataDir, terminalId))) {
      await fleet.add(await firstState(sandbox, terminalId));
      return true;
    }
    log.warn({ terminalId }, 'another process with this DATA_DIR runs a terminal: it is not simulated here');
  } catch (error) {
    // The server refuses to pair terminals of a sandbox that closes.
    if (!ending?.aborted)
      log.error({ terminalId, problem: messageOf(error) }, 'a terminal could not be simulated');
  }
  return false;
}

/** Returns whether a terminal is paired with this program, as far as that can be read. */
async function isCurrentOrUnread(pairing: LocalPairing, terminalId: string, log: Log): Promise<boolean> {
  try {
    return await pairing.isCurrent(terminalId);
  } catch (error) {
    log.error({ terminalId, problem: messageOf(error) }, 'a pairing could not be read');
    return true;
  }
}

/** Returns what a terminal starts with. One that has started once has a journal, and goes on from that. */
async function firstState(sandbox: FleetSandbox, terminalId: string): Promise<FleetMember> {
  const { terminals, dataDir, hasSlept = false, services } = sandbox;
  const members = (terminals ?? []) as FleetMember[];
  const isGiven = hasSlept || !hasJournal(dataDir, terminalId);
  const given = members.find((member) => member.terminalId === terminalId);
  if (isGiven && given) return given;
  const row = await storedTerminals.findAny(services.store, terminalId);
  const twin = row && twinOf(row.serial_number);
  return { terminalId, ...(twin !== undefined && { twin }) };
}

const journalPath = (dataDir: string, terminalId: string) => join(dataDir, 'terminals', `${terminalId}.json`);

function hasJournal(dataDir: string | undefined, terminalId: string): boolean {
  return dataDir !== undefined && existsSync(journalPath(dataDir, terminalId));
}

/** Generation of a terminal's first pairing. */
const FIRST_GENERATION = 1;

interface LocalPairing {
  api: SandboxApi;
  /**
   * Resolves with false when the terminal was paired again elsewhere, which revokes its credentials here, or was
   * deleted.
   */
  isCurrent(terminalId: string): Promise<boolean>;
}

/**
 * Pairs terminals of a fleet in the server's process. A paired terminal keeps its password, because an external
 * broker may be configured with it.
 */
function createLocalPairing(fleetSandbox: FleetSandbox): LocalPairing {
  const { store, settings } = fleetSandbox.services;
  const { pairingSecret, sandbox } = settings;
  const api = fleetSandbox.api();
  const generations = new Map<string, number>();
  return {
    api: {
      async request(method, path, body) {
        if (path === '/pairing/simulators')
          return { status: 200, body: localSimulatorCredentials(pairingSecret, sandbox) };
        const terminalId = /^\/pairing\/terminals\/(.+)$/.exec(path)?.[1];
        const generation = terminalId === undefined ? 0 : await pairingGeneration(store, terminalId);
        if (terminalId) generations.set(terminalId, generation || FIRST_GENERATION);
        if (!terminalId || !generation) return api.ask(method, path, body);
        return { status: 200, body: terminalCredentials(pairingSecret, terminalId, generation, sandbox) };
      },
    },
    isCurrent: async (terminalId) =>
      (await pairingGeneration(store, terminalId)) === generations.get(terminalId),
  };
}

/** Without fsync: only a crash of the whole machine could lose an entry. */
function journalIn(dataDir: string | undefined, terminalId: string): ActionJournal {
  return dataDir === undefined
    ? memoryJournal()
    : fileJournal(journalPath(dataDir, terminalId), { sync: false });
}
