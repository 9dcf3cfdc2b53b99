import type { MqttClient } from 'mqtt';
import { SystemClock } from '../../protocol/clock.ts';
import { createIds, systemRandom } from '../../protocol/ids.ts';
import { encode } from '../../protocol/message.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import { CLOCK_TOPIC, commandFilter } from '../../protocol/topics.ts';
import { terminalCredentials } from '../../server/platform/broker/terminal-credentials.ts';
import { openBareClient } from '../bare-client.ts';
import { handleParentRequests } from './parent-requests.ts';
import { connectAll, type ConnectRequest } from './connect-all.ts';

const ids = createIds(new SystemClock(), systemRandom);
const clients: MqttClient[] = [];

handleParentRequests({
  connect: (order: ConnectRequest) =>
    connectAll(order, async () => {
      const terminalId = ids.make('terminal');
      const client = await openBareClient({
        url: order.url,
        credentials: terminalCredentials(order.pairingSecret, terminalId, 1),
        subscriptions: [commandFilter('terminals', terminalId), CLOCK_TOPIC],
        will: encode(Presence, terminalId, { online: false }),
      });
      clients.push(client);
    }),
});
