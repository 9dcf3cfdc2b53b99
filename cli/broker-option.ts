import { mqttOverWebSocket } from './addresses.ts';
import { address } from './option.ts';

/** How `sim` and `agent` reach the broker. */
export const brokerOption = address(['mqtt', 'mqtts', 'ws', 'wss'], {
  env: 'MQTT_URL',
  flag: '--mqtt <url>',
  meaning: 'The MQTT broker',
  otherwise: 'MQTT over WebSocket at the server',
  secret: true,
});

export function brokerUrl({ mqtt, url }: { mqtt: string | undefined; url: string }): string {
  return mqtt ?? mqttOverWebSocket(url);
}
