import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { connectApi } from '../../cli/api-client.ts';
import { withBatchPairing } from '../../cli/batch-pairing.ts';
import { startRemoteFleet } from '../../cli/remote-fleet.ts';
import { pairingRequest } from '../../cli/terminal-claim.ts';
import { runFleet, type FleetOrder } from './fleet-run.ts';
import { handleParentRequests } from './parent-requests.ts';
import { usageOfProcess } from './process-usage.ts';
import { silentContext } from './silent-context.ts';

const context = silentContext();

handleParentRequests({
  usage: usageOfProcess,
  /** Does what `tapbench sim` does: registers the terminals, pairs and starts them. */
  connect: ({ url, mqttUrl, secretKey, count }: FleetOrder) =>
    runFleet(count, async (online) => {
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
        onNotice: ({ what }) => what === 'online' && online(),
      });
      const { items } = await api.post<{ items: { id: string }[] }>('/sandbox/fleets', { terminals: count });
      await Promise.all(items.map(({ id }) => fleet.add({ terminalId: id })));
    }),
});
