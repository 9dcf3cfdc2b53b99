import { expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { madeOnce } from '../../../../server/platform/store/migrated-database.ts';

test('migrated database: stores that open at once make it once', async () => {
  let made = 0;
  const database = madeOnce(async () => {
    made++;
    await Promise.resolve();
    return new Uint8Array([made]);
  });
  const [first, second] = await Promise.all([database(silentLog), database(silentLog)]);
  expect([made, second === first, (await database(silentLog)) === first]).toEqual([1, true, true]);
});

test('migrated database: after a failure the next store makes it', async () => {
  const results = [Promise.reject(new Error('the disk is full')), Promise.resolve('made')];
  const database = madeOnce(() => results.shift()!);
  await expect(database(silentLog)).rejects.toThrow('the disk is full');
  expect(await database(silentLog)).toBe('made');
});
