import { Duplex } from 'node:stream';
import type { BytePort, LineSettings } from '../../agent/readers/byte-port.ts';
import { after, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { DevicePort } from './twin.ts';

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

/** Returns a port as a stream, for TLS and HTTP. */
export function portStream(port: BytePort): Duplex {
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      port.write(Uint8Array.from(bytes)).then(() => done(), done);
    },
    // What is written together, such as the head of a reply and its body, arrives as one piece.
    writev(chunks: { chunk: Buffer }[], done) {
      const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk));
      port.write(Uint8Array.from(bytes)).then(() => done(), done);
    },
    final(done) {
      port.close().then(() => done(), done);
    },
    destroy(error, done) {
      port.close().then(() => done(error), done);
    },
  });
  port.onData((bytes) => void stream.push(Buffer.from(bytes)));
  port.onClose(() => stream.destroy());
  return stream;
}

// Bytes passed on at a time: the FIFO of a 16550 UART.
const PIECE_BYTES = 16;

interface PacedPortParts {
  clock: Clock;
  line: LineSettings;
}

/**
 * Wraps a port to carry bytes at its baud rate, with a start bit, eight data bits and one or two stop bits each. Both
 * directions are paced independently.
 */
export function pacedPort(port: BytePort, { clock, line }: PacedPortParts): DevicePort {
  const { stopBits = 1 } = line;
  let { baudRate } = line;
  const byteMs = () => ((9 + stopBits) * 1000) / baudRate;
  let open = true;
  const outgoing = createPacedLane(clock, byteMs, () => open);
  const incoming = createPacedLane(clock, byteMs, () => open);
  port.onClose(() => (open = false));
  return {
    path: port.path,
    async write(bytes) {
      let last: Promise<void> | undefined;
      await outgoing(bytes, (piece) => void (last = port.write(piece)).catch(() => {}));
      if (!open) throw new Fault('reader', `${port.path} is closed`);
      await last;
    },
    onData: (listener) => port.onData((bytes) => void incoming(bytes, listener)),
    onClose: (listener) => port.onClose(listener),
    setBaudRate: (next) => void (baudRate = next),
    async close() {
      open = false;
      await port.close();
    },
  };
}

/** One direction: passes each piece on when its last bit would have arrived. */
function createPacedLane(clock: Clock, byteMs: () => number, isOpen: () => boolean) {
  let freeAtMs = 0;
  let last: Promise<void> = Promise.resolve();
  return (bytes: Uint8Array, pass: (piece: Uint8Array) => void): Promise<void> => {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const piece = bytes.slice(from, from + PIECE_BYTES);
      freeAtMs = Math.max(freeAtMs, clock.nowMs()) + piece.length * byteMs();
      const before = last;
      const waitMs = freeAtMs - clock.nowMs();
      last = new Promise((passed) => {
        after(clock, waitMs, () => {
          void before.then(() => {
            if (isOpen()) pass(piece);
            passed();
          });
        });
      });
    }
    return last;
  };
}
