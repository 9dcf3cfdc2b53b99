import { once } from 'node:events';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { BytePort } from '../../agent/readers/byte-port.ts';
import type { Clock } from '../../protocol/clock.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { bytePipe } from '../../simulator/twins/byte-pipe.ts';
import { portStream, streamPort } from '../../simulator/twins/device-port.ts';
import { createTerminalIdentity } from '../../simulator/twins/nexo/certificates.ts';
import { tlsOver } from '../../world/till-driver.ts';

/** The frames of a payment, each as the till saw it. */
export type Conversation = { direction: 'out' | 'in'; bytes: Uint8Array }[];

interface CableParts {
  clock: Clock;
  /** Of a serial line. */
  baudRate?: number;
  /** Whether each request has a connection of its own, with TLS. */
  withTls: boolean;
}

/** The two ends of a cable. */
interface Ends {
  out: BytePort;
  in: BytePort;
}

/** Carries the frames of a payment over the same kind of cable, each after the one before has arrived. */
export async function replayConversation(frames: Conversation, parts: CableParts): Promise<void> {
  for (const part of parts.withTls ? byRequest(frames) : [frames]) {
    const ends = await openEnds(parts);
    const arrived = { out: countBytes(ends.in), in: countBytes(ends.out) };
    for (const { direction, bytes } of part) {
      const whole = arrived[direction](bytes.length);
      await ends[direction].write(bytes);
      await whole;
    }
    await ends.out.close();
  }
}

function byRequest(frames: Conversation): Conversation[] {
  const requests: Conversation[] = [];
  for (const frame of frames) {
    if (frame.direction === 'out') requests.push([]);
    requests.at(-1)!.push(frame);
  }
  return requests;
}

const identity = createTerminalIdentity('bench', seededRandom('bench'));
const secureContext = createSecureContext({ cert: identity.certificate, key: identity.key });

async function openEnds({ clock, baudRate, withTls }: CableParts): Promise<Ends> {
  const [till, device] = bytePipe({ clock, ...(baudRate === undefined ? {} : { baudRate }) });
  if (!withTls) return { out: till, in: device };
  const socket = new TLSSocket(portStream(device), { isServer: true, secureContext });
  const [encrypted] = await Promise.all([tlsOver(till), once(socket, 'secure')]);
  return { out: encrypted, in: streamPort('bench', socket) };
}

/** Returns a function that resolves when as many bytes have arrived at a port. */
function countBytes(port: BytePort): (count: number) => Promise<void> {
  let left = 0;
  let resolve = () => {};
  port.onData(({ length }) => {
    left -= length;
    if (left <= 0) resolve();
  });
  return (count) => {
    left += count;
    return new Promise((done) => (resolve = done));
  };
}
