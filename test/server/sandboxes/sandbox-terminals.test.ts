import { expect, test } from 'vitest';
import { createSandboxTerminals } from '../../../server/sandboxes/sandbox-terminals.ts';

test('sandbox terminals: a start that takes long is waited for until the sandbox ends, and what it started is ended', async () => {
  const seen: string[] = [];
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const terminals = createSandboxTerminals(async () => {
    await released;
    seen.push('started');
    return async () => void seen.push('ended');
  });
  const waits = Promise.all([terminals.start(), terminals.start()]);
  expect(terminals.state).toBe('starting');
  terminals.beginEnding();
  await waits;
  await terminals.start();
  expect(seen).toEqual([]);
  const ended = terminals.end();
  release();
  await ended;
  expect(seen).toEqual(['started', 'ended']);
});

test('sandbox terminals: none is started once the sandbox ends', async () => {
  const seen: string[] = [];
  const terminals = createSandboxTerminals(async () => {
    seen.push('started');
    return async () => {};
  });
  terminals.beginEnding();
  await terminals.start();
  await terminals.end();
  expect(seen).toEqual([]);
});

test('sandbox terminals: a start that failed is tried again', async () => {
  let starts = 0;
  const terminals = createSandboxTerminals(async () => {
    starts += 1;
    if (starts === 1) throw new Error('not now');
    return async () => {};
  });
  await expect(terminals.start()).rejects.toThrow('not now');
  expect(terminals.state).toBe('waiting');
  await terminals.start();
  expect([terminals.state, starts]).toEqual(['ready', 2]);
});
