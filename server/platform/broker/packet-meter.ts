import type { Duplex } from 'node:stream';

/** Reads the bytes of a connection. Returns the length of a packet that is too long as soon as its header says so. */
type PacketMeter = (chunk: Uint8Array) => number | undefined;

/**
 * Follows the fixed headers of MQTT packets (MQTT-2.2.3: one byte of type, then a length of up to four bytes of
 * seven bits, low ones first), so that a packet can be refused before it has been gathered in memory.
 */
export function packetMeter(longest: number): PacketMeter {
  let bodyLeft = 0;
  let headerAt = 0;
  let length = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const skipped = Math.min(bodyLeft, chunk.length - at);
        bodyLeft -= skipped;
        at += skipped;
        continue;
      }
      const byte = chunk[at++]!;
      if (headerAt++ === 0) {
        length = 0;
        continue;
      }
      length += (byte & 0x7f) * 2 ** (7 * (headerAt - 2));
      if ((byte & 0x80) !== 0 && headerAt <= 4) continue;
      if (length > longest) return length;
      bodyLeft = length;
      headerAt = 0;
    }
    return undefined;
  };
}

/**
 * Puts a meter on what is read from a stream. The broker pulls with `read()`, so wrapping that one function
 * costs nothing, where a stream in between would cost a copy and a turn for each packet.
 * @param refuse called once; nothing more is read then.
 */
export function meterStream(stream: Duplex, meter: PacketMeter, refuse: (bytes: number) => void): void {
  const read = stream.read.bind(stream) as (size?: number) => Uint8Array | null;
  let refused = false;
  stream.read = (size?: number) => {
    const chunk = refused ? null : read(size);
    const tooLong = chunk && meter(chunk);
    if (!tooLong) return chunk;
    refused = true;
    refuse(tooLong);
    return null;
  };
}
