import { connectAsync, type MqttClient } from 'mqtt';
import type { LinkCredentials } from '../protocol/link.ts';
import type { Envelope } from '../protocol/message.ts';

interface BareClientPlan {
  url: string;
  credentials: LinkCredentials;
  subscriptions: string[];
  will?: Envelope;
}

/** Opens an mqtt.js client with the options of our link, without the link. Resolves once subscribed. */
export async function openBareClient(plan: BareClientPlan): Promise<MqttClient> {
  const { url, credentials, subscriptions, will } = plan;
  const client = await connectAsync(url, {
    ...credentials,
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 0,
    ...(will && { will }),
  });
  // Nagle's algorithm would make a round trip 44 ms (see protocol/mqtt-link.ts).
  (client.stream as { setNoDelay?: (on: boolean) => void }).setNoDelay?.(true);
  await client.subscribeAsync(subscriptions, { qos: 1 });
  return client;
}
