import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { connectApi } from '../../cli/client/api-client.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import { createLog } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { createFleet, type Fleet } from '../../simulator/fleet.ts';
import { handleParentRequests } from './parent-requests.ts';
import { usageOfProcess } from './process-usage.ts';
import { silentContext } from './silent-context.ts';

export interface TerminalsRequest {
  url: string;
  secretKey: string;
  mqttUrl: string;
  terminalIds: string[];
}

let fleet: Fleet | undefined;

handleParentRequests({
  /** Runs simulated terminals as `tapbench sim` does, without delays. Resolves when all are online. */
  async start({ url, secretKey, mqttUrl, terminalIds }: TerminalsRequest): Promise<void> {
    const clock = new SystemClock();
    const log = createLog({ level: 'error' });
    const api = connectApi(silentContext(), { url, secretKey, dataDir: '' });
    fleet = createFleet({
      connect: mqttConnector({ url: mqttUrl, clock, random: systemRandom, log }),
      clock,
      random: systemRandom,
      log,
      journalFor: () => memoryJournal(),
      api: { request: (method, path, body) => api.ask(method, path, body) },
      cardholder: { script: 'tap', delayMs: 0 },
      readLatencyMs: 0,
    });
    for (const terminalId of terminalIds) await fleet.add({ terminalId });
  },
  usage: usageOfProcess,
  stop: () => fleet?.close(),
});
