import { duplexPair, type Duplex } from 'node:stream';

/**
 * Two ends of a connection inside this process, in place of a socket. When one end closes, the other is
 * destroyed, as a socket's would be: without that a broker never learns of a cut and publishes no last will.
 */
export function streamPair(): [Duplex, Duplex] {
  const [left, right] = duplexPair();
  closeTogether(left, right);
  closeTogether(right, left);
  return [left, right];
}

function closeTogether(closing: Duplex, other: Duplex): void {
  // A turn later, so that what was written before the close is still read, as from a socket.
  closing.once('close', () => setImmediate(() => other.destroy()));
  closing.on('error', () => undefined);
}
