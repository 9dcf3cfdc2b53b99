// Where server/app.ts serves MQTT over WebSocket.
const MQTT_PATH = '/mqtt';

/** The addresses of a running server. */
export interface Addresses {
  url: string;
  /** `PUBLIC_URL`, or `url` when it is not set. */
  publicUrl: string;
  mqttUrl: string;
  /** Null with an external broker: its WebSocket address is not known. */
  mqttWebSocketUrl: string | null;
}

export function addressOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Replaces an address that means all interfaces (0.0.0.0, ::) by the loopback address, which a client can connect to.
 */
export function connectableUrl(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Removes the user name and password from an address, for display. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//');
}

/**
 * Returns the link that opens the dashboard. The secret is in the fragment, which browsers never send to a server.
 */
export function dashboardLink(url: string, secret: { token: string } | { code: string }): string {
  return `${url}/#${'token' in secret ? `token=${secret.token}` : `code=${secret.code}`}`;
}

/** Returns the address of MQTT over WebSocket on the server's HTTP port. */
export function mqttOverWebSocket(url: string): string {
  return url.replace(/^http/, 'ws') + MQTT_PATH;
}

/** Returns the user name and password in an address; both are empty when it has none. */
export function credentialsIn(address: string): { username: string; password: string } {
  const { username, password } = new URL(address);
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
