// Where server/app.ts serves MQTT over WebSocket.
const MQTT_PATH = '/mqtt';

/** Where a server is reached. */
export interface Addresses {
  url: string;
  /** Where others reach it: `PUBLIC_URL`, else the same. */
  publicUrl: string;
  mqttUrl: string;
  /** Null with an external broker, whose other addresses we do not know. */
  mqttWebSocketUrl: string | null;
}

export function addressOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address to type, for one that means every address of this machine. */
export function connectableUrl(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** The address without the user name and password in it, to be shown. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//');
}

/** The link that opens the dashboard. What it carries is in the fragment, which browsers send to no server. */
export function dashboardLink(url: string, secret: { token: string } | { code: string }): string {
  const [[name, value]] = Object.entries(secret) as [[string, string]];
  return `${url}/#${name}=${value}`;
}

/** MQTT on the HTTP port of a server. */
export function mqttOverWebSocket(url: string): string {
  return url.replace(/^http/, 'ws') + MQTT_PATH;
}

/** The user name and password in an address, empty when it has none. */
export function credentialsIn(address: string): { username: string; password: string } {
  const { username, password } = new URL(address);
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
