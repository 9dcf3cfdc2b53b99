import { mqttOverWebSocket } from '../data-folder/addresses.ts';
import { urlOption } from '../command-line/option.ts';

/** Address of the broker, for `sim` and `agent`. */
export const brokerOption = urlOption(['mqtt', 'mqtts', 'ws', 'wss'], {
  env: 'MQTT_URL',
  flag: '--mqtt <url>',
  description: 'The MQTT broker',
  defaultText: 'MQTT over WebSocket at the server',
  secret: true,
});

export function brokerUrl({ mqtt, url }: { mqtt: string | undefined; url: string }): string {
  return mqtt ?? mqttOverWebSocket(url);
}
