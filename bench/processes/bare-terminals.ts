import { openBareClient } from '../bare-client.ts';
import { handleParentRequests } from './parent-requests.ts';

// About what a small message holds.
const PAYLOAD = 'x'.repeat(400);

/** mqtt.js clients that answer each command with a report. */
handleParentRequests({
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
