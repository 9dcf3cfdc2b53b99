import { ACTION_MACHINE_NAMES } from '../agent/inspection.ts';
import { memoryJournal, type ActionJournal } from '../agent/lifecycle/action-journal.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import { type Random, seededRandom } from '../protocol/ids.ts';
import { mqttConnector } from '../protocol/mqtt-link.ts';
import { createServer, type Server, type ServerParts } from '../server/app.ts';
import type { FleetParts, Fleet, FleetMember } from '../simulator/fleet.ts';
import { strikesOf } from '../server/sandbox-controls/faults/struck-terminals.ts';
import type { SandboxApi } from '../simulator/pairing.ts';
import { metered, type LinkMeter } from './metered-connector.ts';
import { loadTill } from './till-driver.ts';
import type { Clock } from '../protocol/clock.ts';

/** A broker on the network, in place of the embedded one. */
export interface NetworkBroker {
  url: string;
  /** The server's own. */
  credentials: LinkCredentials;
  /** Adds credentials from a pairing to the broker. */
  admit(credentials: LinkCredentials): Promise<void>;
}

/** What the server and the terminals of a world are made of. */
interface WorldParts extends Pick<
  ServerParts,
  'settings' | 'store' | 'clock' | 'realClock' | 'random' | 'log' | 'observers' | 'outgoing' | 'killer'
> {
  meter: LinkMeter;
  broker?: NetworkBroker | undefined;
}

/** Composes the server of a world. */
export function composeServer({ meter, broker, ...parts }: WorldParts): Promise<Server> {
  const { clock, random, log } = parts;
  return createServer({
    ...parts,
    terminalMachine: ACTION_MACHINE_NAMES,
    instanceId: 'world',
    ...(broker && {
      externalBroker: {
        connect: metered(mqttConnector({ url: broker.url, clock, random, log }), meter),
        credentials: broker.credentials,
      },
    }),
  });
}

/** How the terminals of a world reach its server, and what surrounds them. */
interface WorldEnvironment extends Pick<FleetParts, 'cardholder' | 'readLatencyMs' | 'onActivity'> {
  server(): Server;
  /** Sends a request with the secret key. */
  request: SandboxApi['request'];
  /** Wraps the connector of the terminals. */
  terminalConnector?: ((connect: Connector) => Connector) | undefined;
  /** Decides the pauses before a terminal connects again; the time does by default. */
  linkRandom?: Random | undefined;
  /** The journal of each terminal; in memory by default, empty at the start. */
  journalFor?: FleetParts['journalFor'] | undefined;
}

/** Returns the parts of a world's fleet. */
export function composeFleetParts(
  { clock, random, log, meter, broker }: WorldParts,
  { server, request, terminalConnector, linkRandom, journalFor, ...environment }: WorldEnvironment,
): FleetParts & { connectTerminal: Connector } {
  const journals = new Map<string, ActionJournal>();
  const transport = broker ? { url: broker.url } : { openStream: () => server().broker!.openStream() };
  const connectWith = (pauses: Random) =>
    metered(mqttConnector({ ...transport, clock, random: pauses, log }), meter);
  const connectTerminal = connectWith(linkRandom ?? randomOfMoments(clock));
  return {
    ...environment,
    connect: connectWith(random),
    connectTerminal: terminalConnector?.(connectTerminal) ?? connectTerminal,
    clock,
    random,
    log,
    api: {
      async request(method, path, body) {
        const answer = await request(method, path, body);
        if (broker && path.startsWith('/pairing/') && answer.status === 200)
          await broker.admit(answer.body as LinkCredentials);
        return answer;
      },
    },
    journalFor(terminalId) {
      if (journalFor) return journalFor(terminalId);
      const journal = journals.get(terminalId) ?? memoryJournal();
      journals.set(terminalId, journal);
      return journal;
    },
    loadTill,
    loadPrinter: async () => (await import('./twin-printer.ts')).createTwinPrinter,
    onAct: (terminalId, act) => server().services.inputs.actPerformed(terminalId, act),
    ...strikesOf(() => server().services),
  };
}

/** Adds exported terminals to the fleet of a world, and waits until those that can are online. */
export async function addTerminals(
  terminals: readonly FleetMember[],
  fleet: Fleet,
  until: (what: string, check: () => boolean) => Promise<unknown>,
): Promise<void> {
  if (terminals.length === 0) return;
  await Promise.all(terminals.map((member) => fleet.add(member)));
  const connects = terminals.filter(({ state }) => state?.power !== 'off' && state?.network !== 'off');
  await until('the terminals come online', () =>
    connects.every(({ terminalId }) => fleet.terminal(terminalId)?.online),
  );
  await fleet.controlled();
}

/**
 * Random bytes for the pauses before terminals connect again. The time decides them, and how many were taken at that time, so a
 * replay on virtual time pauses as its recording did, although other random numbers differ.
 */
function randomOfMoments(clock: Clock): Random {
  let moment = { atMs: NaN, random: seededRandom('') };
  return {
    bytes(count) {
      const atMs = clock.nowMs();
      if (atMs !== moment.atMs) moment = { atMs, random: seededRandom(`pauses at ${atMs}`) };
      return moment.random.bytes(count);
    },
  };
}

/** Random bytes for pauses that are a thousandth of the longest: no terminal connects earlier. */
export const shortestPauses: Random = {
  bytes: (count) => Uint8Array.from({ length: count }, (_, place) => (place === 1 ? 0x40 : 0)),
};
