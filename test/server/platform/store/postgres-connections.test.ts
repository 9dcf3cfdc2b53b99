import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { gatherWrites } from '../../../../server/platform/store/postgres-connections.ts';

/** A stream whose writes are gathered, and the texts that each of its calls of the system takes. */
function openStream() {
  const calls: string[][] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      calls.push([chunk]);
      done();
    },
    writev(chunks, done) {
      calls.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  gatherWrites(stream);
  return { stream, calls };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('gathered writes: what one turn of the event loop writes is sent together, and the next turn by itself', async () => {
  const { stream, calls } = openStream();
  stream.write('BEGIN');
  await Promise.resolve();
  stream.cork();
  stream.write('UPDATE');
  stream.uncork();
  expect(calls).toEqual([]);
  await nextTurn();
  stream.write('COMMIT');
  await nextTurn();
  expect(calls).toEqual([['BEGIN', 'UPDATE'], ['COMMIT']]);
});

test('gathered writes: a stream that ends in the same turn sends them', async () => {
  const { stream, calls } = openStream();
  stream.write('terminate');
  stream.end();
  await nextTurn();
  expect(calls).toEqual([['terminate']]);
});
