import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { connectApi } from '../../cli/client/api-client.ts';
import { withBatchPairing } from '../../cli/terminals/batch-pairing.ts';
import { startRemoteFleet } from '../../cli/terminals/remote-fleet.ts';
import { pairingRequest } from '../../cli/terminals/terminal-claim.ts';
import { runFleet, type FleetOrder } from './fleet-run.ts';
import { handleParentRequests, usageOfProcess } from './parent-requests.ts';
import { silentContext } from './silent-context.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import { createLog } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { createFleet, type Fleet } from '../../simulator/fleet.ts';

export interface TerminalsRequest {
  url: string;
  secretKey: string;
  mqttUrl: string;
  terminalIds: string[];
}

const context = silentContext();
let started: ReturnType<typeof start> | undefined;
let online = () => {};
let registered = 0;
let terminals: Fleet | undefined;

handleParentRequests({
  usage: usageOfProcess,
  /** Does what `tapbench sim` does: registers the terminals, pairs and starts them. Adds to those of earlier calls. */
  connect: (order: FleetOrder) =>
    runFleet(order.count, async (count) => {
      online = count;
      const { api, fleet } = (started ??= start(order));
      const earlier = registered;
      registered += order.count;
      const { items } = await api.call('POST /sandbox/fleets', { body: { terminals: registered } });
      await Promise.all(items.slice(earlier).map(({ id }) => fleet.add({ terminalId: id })));
    }),
  /** Runs terminals that exist and are paired, without delays. Resolves when all are online. */
  async start({ url, secretKey, mqttUrl, terminalIds }: TerminalsRequest): Promise<void> {
    const clock = new SystemClock();
    const log = createLog({ level: 'error' });
    const api = connectApi(context, { url, secretKey, dataDir: '' });
    terminals = createFleet({
      connect: mqttConnector({ url: mqttUrl, clock, random: systemRandom, log }),
      clock,
      random: systemRandom,
      log,
      journalFor: () => memoryJournal(),
      api: { request: (method, path, body) => api.ask(method, path, body) },
      cardholder: { script: 'tap', delayMs: 0 },
      readLatencyMs: 0,
    });
    for (const terminalId of terminalIds) await terminals.add({ terminalId });
  },
  stop: () => terminals?.close(),
});

function start({ url, mqttUrl, secretKey }: FleetOrder) {
  const options = {
    url,
    mqtt: mqttUrl,
    secretKey,
    dataDir: '',
    logLevel: 'error',
    logFormat: 'json',
  } as const;
  const pairing = pairingRequest(false);
  const api = connectApi(context, options);
  const fleet = startRemoteFleet(context, {
    options,
    api: withBatchPairing({ request: (method, path, body) => api.ask(method, path, body) }, pairing),
    cardholder: { script: 'tap', delayMs: 0 },
    journalFor: () => memoryJournal(),
    pairing,
    onActivity: ({ what }) => what === 'online' && online(),
  });
  return { api, fleet };
}
