import type { IncomingMessage } from 'node:http';

// RFC 3986 §3.2.2: a name, an IPv4 address, or an IP literal in brackets; then a port.
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/i;

/**
 * Whether a request has exactly one valid Host header, or is of HTTP/1.0 and has none (RFC 9112 §3.2). Two of them
 * could name one host to a proxy and another to the server.
 */
export function hasValidHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isHost(rawHeaders[index]!)) continue;
    if (host !== undefined) return false;
    host = rawHeaders[index + 1]!;
  }
  return host === undefined ? httpVersion === '1.0' : HOST.test(host);
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
