import type { BytePort } from '../../agent/readers/byte-port.ts';
import { after, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { pacedPort } from './device-port.ts';

interface BytePipeParts {
  clock: Clock;
  /** Latency, milliseconds; 0 is one turn of the event loop. */
  latencyMs?: number;
  /** Paces writes; without it each write arrives as one piece. */
  baudRate?: number;
  /** Path of the ends. */
  path?: string;
}

/**
 * Creates a serial cable in the process: what one end writes arrives at the other later, in order. Bytes are buffered
 * until the first listener. Closing one end closes the other.
 */
export function bytePipe(parts: BytePipeParts): [BytePort, BytePort] {
  const path = parts.path ?? 'pipe';
  const left = createEnd(path);
  const right = createEnd(`${path} (device)`);
  const { clock, latencyMs = 0 } = parts;
  const carry = (to: End, bytes: Uint8Array) => after(clock, latencyMs, () => to.hear(bytes));
  const hangUp = (to: End) => after(clock, latencyMs, () => to.end('the other end hung up'));
  const ends: [BytePort, BytePort] = [
    left.port(
      (bytes) => carry(right, bytes),
      () => hangUp(right),
    ),
    right.port(
      (bytes) => carry(left, bytes),
      () => hangUp(left),
    ),
  ];
  if (parts.baudRate === undefined) return ends;
  // Each direction is paced where it is written: pacing both ends would count every byte twice.
  const line = { baudRate: parts.baudRate };
  return [pacedPort(ends[0], { clock, line }), ends[1]];
}

type End = ReturnType<typeof createEnd>;

function createEnd(path: string) {
  let open = true;
  let waiting: Uint8Array[] = [];
  let onData: ((bytes: Uint8Array) => void) | undefined;
  const onClose: ((reason: string) => void)[] = [];
  const end = (reason: string) => {
    if (!open) return;
    open = false;
    for (const listener of onClose) listener(reason);
  };
  return {
    hear(bytes: Uint8Array) {
      if (!open) return;
      if (onData) onData(bytes);
      else waiting.push(bytes);
    },
    end,
    port: (carry: (bytes: Uint8Array) => void, hangUp: () => void): BytePort => ({
      path,
      async write(bytes) {
        if (!open) throw new Fault('reader', `${path} is closed`);
        carry(bytes.slice());
      },
      onData(listener) {
        onData = listener;
        const before = waiting;
        waiting = [];
        for (const bytes of before) listener(bytes);
      },
      onClose: (listener) => void onClose.push(listener),
      async close() {
        if (!open) return;
        hangUp();
        end('closed');
      },
    }),
  };
}
