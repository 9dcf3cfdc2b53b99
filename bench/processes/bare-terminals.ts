import type { MqttClient } from 'mqtt';
import { SystemClock } from '../../protocol/clock.ts';
import { createIds, systemRandom } from '../../protocol/ids.ts';
import { encode } from '../../protocol/message.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import { CLOCK_TOPIC, commandFilter } from '../../protocol/topics.ts';
import { openBareClient } from '../bare-client.ts';
import { runFleet, type FleetOrder } from './fleet-run.ts';
import { handleParentRequests } from './parent-requests.ts';

// More at once gain nothing, and a thousand would overflow the backlog of the listening socket.
const DIALLING = 100;

// About what a small message holds.
const PAYLOAD = 'x'.repeat(400);

const ids = createIds(new SystemClock(), systemRandom);
const clients: MqttClient[] = [];

/** mqtt.js clients in place of our terminals. */
handleParentRequests({
  /** Connects terminals that only subscribe. */
  connect: ({ mqttUrl, count }: FleetOrder) =>
    runFleet(count, async (online) => {
      let next = 0;
      const dial = async () => {
        while (next++ < count) {
          clients.push(await openTerminal(mqttUrl));
          online();
        }
      };
      await Promise.all(Array.from({ length: DIALLING }, dial));
    }),
  /** Connects terminals that answer each command with a report. */
  async start({ mqttUrl, terminalIds }: { mqttUrl: string; terminalIds: string[] }): Promise<void> {
    for (const id of terminalIds) {
      const client = await openBareClient({
        url: mqttUrl,
        credentials: { clientId: id, username: id, password: '' },
        subscriptions: [`commands/${id}`],
      });
      client.on('message', () => client.publish(`reports/${id}`, PAYLOAD, { qos: 1 }));
    }
  },
});

function openTerminal(url: string): Promise<MqttClient> {
  const terminalId = ids.make('terminal');
  return openBareClient({
    url,
    credentials: { clientId: terminalId, username: terminalId, password: ids.secret(32) },
    subscriptions: [commandFilter('terminals', terminalId), CLOCK_TOPIC],
    will: encode(Presence, terminalId, { online: false }),
  });
}
