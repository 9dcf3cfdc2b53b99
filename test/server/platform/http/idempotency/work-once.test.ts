import { expect, test } from 'vitest';
import { createWorkOnce } from '../../../../../server/platform/http/idempotency/work-once.ts';

const REQUEST = { keyDigest: 'key', requestDigest: 'request' };
const OTHER = { keyDigest: 'other', requestDigest: 'request' };

const notFound = async () => undefined;

test('work once: what an earlier attempt has stored is returned, and nothing is run', async () => {
  const run = () => Promise.reject(new Error('run again'));
  expect(await createWorkOnce()(REQUEST, { find: async () => 'stored', run })).toBe('stored');
});

test('work once: while a request is worked on, the same is refused and another is run', async () => {
  const workOnce = createWorkOnce();
  let finish!: (result: string) => void;
  const first = workOnce(REQUEST, {
    find: notFound,
    run: () => new Promise<string>((end) => (finish = end)),
  });
  const run = async () => 'second';
  await expect(workOnce(REQUEST, { find: notFound, run })).rejects.toMatchObject({
    refusal: 'idempotency_key_in_use',
  });
  expect(await workOnce(OTHER, { find: notFound, run })).toBe('second');
  finish('first');
  expect(await first).toBe('first');
  expect(await workOnce(REQUEST, { find: notFound, run })).toBe('second');
});

test('work once: what another server has stored meanwhile is returned in place of the failure', async () => {
  let stored: string | undefined;
  const run = async () => {
    stored = 'of another server';
    throw new Error('the name is taken');
  };
  expect(await createWorkOnce()(REQUEST, { find: async () => stored, run })).toBe('of another server');
});

test('work once: a failure without a stored result is thrown', async () => {
  const run = () => Promise.reject(new Error('the disk is full'));
  await expect(createWorkOnce()(REQUEST, { find: notFound, run })).rejects.toThrow('the disk is full');
});
