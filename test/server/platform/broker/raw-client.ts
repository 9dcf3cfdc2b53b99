import type { Duplex } from 'node:stream';
import { waitUntil } from '../../../contract/peer.ts';

/** MQTT 3.1.1 packets by hand, for what a well-behaved client library would never send. */
export const packets = {
  connect(client: {
    clientId: string;
    username?: string;
    password?: string;
    clean?: boolean;
    will?: { topic: string; payload: string };
  }): Buffer {
    const { clientId, username, password, clean = true, will } = client;
    const flags =
      (clean ? 0x02 : 0) |
      (will ? 0x04 | 0x08 | 0x20 : 0) | // a will, at QoS 1, retained
      (password === undefined ? 0 : 0x40) |
      (username === undefined ? 0 : 0x80);
    return packet(
      0x10,
      text('MQTT'),
      Buffer.from([4, flags, 0, 60]),
      ...[clientId, will?.topic, will?.payload, username, password].flatMap((each) =>
        each === undefined ? [] : [text(each)],
      ),
    );
  },
  publish: (id: number, topic: string, payload: string, retain = false, qos: 1 | 2 = 1): Buffer =>
    packet(0x30 | (qos << 1) | (retain ? 1 : 0), text(topic), number(id), Buffer.from(payload)),
  subscribe: (id: number, ...filters: string[]): Buffer =>
    packet(0x82, number(id), ...filters.flatMap((filter) => [text(filter), Buffer.from([1])])),
  unsubscribe: (id: number, ...filters: string[]): Buffer => packet(0xa2, number(id), ...filters.map(text)),
};

/** The fixed header of a packet that announces a body of this many bytes. */
export function header(first: number, length: number): Buffer {
  const bytes = [first];
  do {
    bytes.push((length % 128) | (length >= 128 ? 0x80 : 0));
    length = Math.floor(length / 128);
  } while (length > 0);
  return Buffer.from(bytes);
}

function packet(first: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([header(first, body.length), body]);
}

function text(value: string): Buffer {
  return Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)]);
}

function number(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

/** Reads what the broker answers, byte for byte. */
export function rawClient(stream: Duplex): {
  send(...packets: Buffer[]): void;
  answer(hex: string): Promise<void>;
  ended(): Promise<void>;
} {
  let seen = '';
  stream.on('data', (chunk: Buffer) => (seen += chunk.toString('hex')));
  stream.on('error', () => undefined);
  return {
    send: (...bytes) => void stream.write(Buffer.concat(bytes)),
    /** Resolves when the next bytes from the broker are these. */
    async answer(hex) {
      await waitUntil(`the answer ${hex}, seen ${seen}`, () => seen.length >= hex.length);
      const got = seen.slice(0, hex.length);
      seen = seen.slice(hex.length);
      if (got !== hex) throw new Error(`the broker answered ${got}${seen}, not ${hex}`);
    },
    ended: () => waitUntil('the broker to hang up', () => stream.destroyed || stream.readableEnded),
  };
}
