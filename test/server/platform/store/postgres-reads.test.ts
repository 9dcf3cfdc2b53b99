import { expect, test } from 'vitest';
import { createReads } from '../../../../server/platform/store/postgres-reads.ts';

interface Client {
  name: number;
  release(destroy: boolean): void;
}

/** Connections without a server: each read waits for its answer. */
function openPool(max = Infinity) {
  const released: { name: number; destroyed: boolean }[] = [];
  const waiting: ((client: Client) => void)[] = [];
  let taken = 0;
  let names = 0;
  const newClient = () => {
    const name = ++names;
    const release = (destroyed: boolean) => {
      released.push({ name, destroyed });
      taken -= 1;
      if (waiting.length > 0) give(waiting.shift()!);
    };
    return { name, release };
  };
  function give(resolve: (client: Client) => void): void {
    taken += 1;
    resolve(newClient());
  }
  return {
    released,
    names: () => names,
    checkOut: () =>
      new Promise<Client>((resolve) => (taken < max ? give(resolve) : void waiting.push(resolve))),
    isAwaited: () => waiting.length > 0,
  };
}

/** A read, and what ends it. */
function begin(read: ReturnType<typeof createReads<Client>>) {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const ended = new Promise<void>((...ends) => ([resolve, reject] = ends));
  let begun = (_name: number) => {};
  const on = new Promise<number>((resolveName) => (begun = resolveName));
  const result = read((client) => {
    begun(client.name);
    return ended;
  });
  result.catch(() => undefined);
  return { resolve, reject, on, result };
}

test('reads: thirty-two at once share four connections, which are given back with the last answer', async () => {
  const pool = openPool();
  const read = createReads(pool);
  const reads = Array.from({ length: 32 }, () => begin(read));
  await Promise.all(reads.map(({ on }) => on));
  expect(pool.names()).toBe(4);
  for (const { resolve } of reads.slice(1)) resolve();
  await Promise.all(reads.slice(1).map(({ result }) => result));
  expect(pool.released).toHaveLength(3);
  reads[0]!.resolve();
  await reads[0]!.result;
  expect(pool.released).toHaveLength(4);
});

test('reads: one that takes long keeps no other waiting while there are connections', async () => {
  const pool = openPool();
  const read = createReads(pool);
  const slow = begin(read);
  const name = await slow.on;
  for (let count = 0; count < 50; count += 1) {
    const quick = begin(read);
    expect(await quick.on).not.toBe(name);
    quick.resolve();
    await quick.result;
  }
  slow.resolve();
  await slow.result;
});

test('reads: while others wait for a connection, one is given back after the reads that it has', async () => {
  const pool = openPool(1);
  const read = createReads(pool);
  const first = begin(read);
  await first.on;
  const other = pool.checkOut();
  const next = [begin(read), begin(read), begin(read)];
  first.resolve();
  await first.result;
  (await other).release(false);
  const names = await Promise.all(next.map(({ on }) => on));
  // They waited for one together.
  expect(new Set(names)).toEqual(new Set([3]));
  for (const { resolve } of next) resolve();
  await Promise.all(next.map(({ result }) => result));
});

test('reads: the connection of one that fails is closed, after the answers of the others on it', async () => {
  const pool = openPool();
  const read = createReads(pool);
  const reads = Array.from({ length: 8 }, () => begin(read));
  const names = await Promise.all(reads.map(({ on }) => on));
  const shared = reads.filter((_, index) => names[index] === names[0]);
  expect(shared).toHaveLength(2);
  shared[0]!.reject(new Error('lost'));
  await expect(shared[0]!.result).rejects.toThrow('lost');
  const later = begin(read);
  expect(await later.on).not.toBe(names[0]);
  shared[1]!.resolve();
  await shared[1]!.result;
  expect(pool.released).toEqual([{ name: names[0], destroyed: true }]);
});
