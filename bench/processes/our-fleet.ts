import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { createIds, systemRandom } from '../../protocol/ids.ts';
import type { Connector } from '../../protocol/link.ts';
import { createLog } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import {
  simulatorCredentials,
  terminalCredentials,
} from '../../server/platform/broker/terminal-credentials.ts';
import { createFleet } from '../../simulator/fleet.ts';
import { handleParentRequests } from './parent-requests.ts';
import { connectAll, type ConnectRequest } from './connect-all.ts';

const clock = new SystemClock();
const ids = createIds(clock, systemRandom);
const log = createLog({ level: 'error' });
const online = new Map<string, () => void>();

handleParentRequests({
  connect(order: ConnectRequest) {
    const fleet = openFleet(order);
    return connectAll(order, async () => {
      const terminalId = ids.make('terminal');
      const connected = new Promise<void>((resolve) => online.set(terminalId, resolve));
      await fleet.add({ terminalId });
      await connected;
      online.delete(terminalId);
    });
  },
});

/** Creates the fleet of `tapbench sim`, paired without a server. */
function openFleet({ url, pairingSecret }: ConnectRequest) {
  return createFleet({
    connect: notifyOnline(mqttConnector({ url, clock, random: systemRandom, log })),
    clock,
    random: systemRandom,
    log,
    journalFor: () => memoryJournal(),
    api: {
      async request(_method, path) {
        const terminalId = /^\/pairing\/terminals\/(.+)$/.exec(path)?.[1];
        const body =
          terminalId === undefined
            ? simulatorCredentials(pairingSecret, ids)
            : terminalCredentials(pairingSecret, terminalId, 1);
        return { status: 200, body };
      },
    },
  });
}

function notifyOnline(connect: Connector): Connector {
  return (plan) => {
    const { handlers } = plan;
    const told = () => {
      handlers.online();
      online.get(plan.credentials.clientId)?.();
    };
    return connect({ ...plan, handlers: { ...handlers, online: told } });
  };
}
