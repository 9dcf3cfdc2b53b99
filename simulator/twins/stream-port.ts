import type { Duplex } from 'node:stream';
import type { BytePort } from '../../agent/readers/byte-port.ts';
import { Fault } from '../../protocol/failures.ts';

/** Wraps a stream as a port. Calls `ended` once when it closes. */
export function streamPort(path: string, stream: Duplex, ended: () => void = () => {}): BytePort {
  const listeners: ((reason: string) => void)[] = [];
  let over = false;
  const end = (reason: string) => {
    if (over) return;
    over = true;
    stream.destroy();
    ended();
    for (const listener of listeners) listener(reason);
  };
  stream.on('error', (error) => end(error.message));
  stream.on('end', () => end('the other end hung up'));
  stream.on('close', () => end('closed'));
  return {
    path,
    write(bytes) {
      return new Promise((resolve, reject) => {
        if (over) return reject(new Fault('reader', `${path} is closed`));
        stream.write(bytes, (error) => {
          if (error) reject(new Fault('reader', `${path}: ${error.message}`));
          else resolve();
        });
      });
    },
    onData: (listener) => void stream.on('data', (bytes: Buffer) => listener(new Uint8Array(bytes))),
    onClose: (listener) => void listeners.push(listener),
    async close() {
      end('closed');
    },
  };
}
