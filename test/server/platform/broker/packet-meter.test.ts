import { Readable, type Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meterStream, packetMeter } from '../../../../server/platform/broker/packet-meter.ts';
import { header } from './raw-client.ts';

test('packet meter: packets up to the limit pass, however they are split into chunks', () => {
  const bodies = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 20 });
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });
  fc.assert(
    fc.property(bodies, cuts, fc.integer({ min: 0, max: 19 }), (lengths, sizes, longAt) => {
      const stream = (body: number[]) =>
        Buffer.concat(
          body.map((length) => Buffer.concat([header(0x30, length), Buffer.alloc(length, 0xff)])),
        );
      expect(measure(stream(lengths), sizes)).toBeUndefined();
      const withLong = lengths.with(longAt % lengths.length, 301);
      expect(measure(stream(withLong), sizes)).toBe(301);
    }),
  );
});

function measure(bytes: Buffer, sizes: number[]): number | undefined {
  const meter = packetMeter(300);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    const tooLong = meter(bytes.subarray(at, at + size));
    if (tooLong !== undefined) return tooLong;
    at += size;
  }
  return undefined;
}

test('packet meter: a length field of more than four bytes is too long', () => {
  expect(packetMeter(65_536)(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01]))).toBeGreaterThan(65_536);
});

test('packet meter: reads nothing more of a stream after it was refused', () => {
  const stream = Readable.from([header(0x30, 400), Buffer.alloc(400)], { objectMode: false }) as Duplex;
  const refused: number[] = [];
  meterStream(stream, packetMeter(300), (bytes) => refused.push(bytes));
  const read: unknown[] = [];
  stream.on('readable', () => read.push(stream.read(), stream.read()));
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    expect(refused).toEqual([400]);
    expect(read.every((chunk) => chunk === null)).toBe(true);
  });
});
