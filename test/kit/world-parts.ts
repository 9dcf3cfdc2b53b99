import { memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import { SystemClock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { createServer, type Server } from '../../server/app.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { FleetNotice, FleetParts } from '../../simulator/fleet.ts';
import type { Api } from './api.ts';
import type { Engines } from './engines.ts';
import { metered, type LinkMeter } from './metered-connector.ts';
import type { Receivers } from './receivers.ts';
import type { WorldRecorder } from './recording/world-recorder.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { WorldOptions } from './world-options.ts';

/** A step of a terminal's machine. */
export type Step = Extract<FleetNotice, { what: 'stepped' }>;

/** Settings of a world unless its options have others. */
export const SETTINGS: ServerSettings = {
  mode: 'sandbox',
  secretKey: 'sk_sandbox_world',
  publicKey: 'pk_sandbox_world',
  pairingSecret: 'a pairing secret for worlds, long enough for anybody',
  dashboardToken: 'dash_a-token-for-worlds-that-is-long-enough',
  rateLimit: 'off',
  magicAmounts: undefined,
  publicUrl: 'http://tapbench.test',
};

/** What the server and the terminals of a world are made of. */
interface WorldParts {
  options: WorldOptions;
  seed: string;
  engines: Engines | undefined;
  random: Random;
  clock: VirtualClock;
  log: Log;
  store: Store;
  receivers: Receivers;
  meter: LinkMeter;
  watchers: ((step: Step) => void)[];
  recorder: WorldRecorder | undefined;
}

/** Composes the server of a world. */
export async function serverOf(parts: WorldParts): Promise<Server> {
  const { options, seed, engines, random, clock, log, store, receivers, meter } = parts;
  const broker = engines?.broker;
  const server = await createServer({
    settings: { ...SETTINGS, ...options.settings, seed },
    store,
    clock,
    // Engines on the network use real time.
    realClock: engines ? new SystemClock() : clock,
    random,
    log,
    outgoing: receivers.outgoing,
    instanceId: 'world',
    ...(broker && {
      externalBroker: {
        connect: metered(mqttConnector({ url: broker.url, clock, random, log }), meter),
        credentials: broker.credentials,
      },
    }),
  });
  parts.recorder?.server(server);
  return server;
}

/** Returns the parts of a world's fleet. */
export function fleetPartsOf(
  { options, engines, random, clock, log, meter, watchers }: WorldParts,
  server: () => Server,
  api: Api,
): FleetParts & { connectTerminal: Connector } {
  const broker = engines?.broker;
  const journals = new Map<string, ActionJournal>();
  const way = broker ? { url: broker.url } : { openStream: () => server().broker!.openStream() };
  const connect = metered(mqttConnector({ ...way, clock, random, log }), meter);
  return {
    connect,
    connectTerminal: options.terminalConnector?.(connect, { clock, random }) ?? connect,
    clock,
    random,
    log,
    api: {
      async request(method, path, body) {
        const answer = await api.raw(method, path, body === undefined ? '' : JSON.stringify(body));
        if (broker && path.startsWith('/pairing/') && answer.status === 200) await broker.admit(answer.body);
        return answer;
      },
    },
    journalFor(terminalId) {
      if (options.journalFor) return options.journalFor(terminalId);
      const journal = journals.get(terminalId) ?? memoryJournal();
      journals.set(terminalId, journal);
      return journal;
    },
    cardholder: options.cardholder ?? { script: 'none' },
    readLatencyMs: 0,
    onAct: (terminalId, act) => server().services.traffic.actPerformed(terminalId, act),
    onNotice(notice) {
      if (notice.what === 'stepped') for (const watch of watchers) watch(notice);
    },
  };
}
