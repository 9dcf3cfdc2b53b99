import { expect, test } from 'vitest';
import { onStopSignal } from '../../../protocol/system/stop-signals.ts';

test.each([
  ['linux', ['SIGINT', 'SIGTERM']],
  ['darwin', ['SIGINT', 'SIGTERM']],
  ['win32', ['SIGINT', 'SIGBREAK', 'SIGHUP']],
] as const)('onStopSignal: on %s calls its function at each of %j', (system, signals) => {
  const listeners = new Map<string, () => void>();
  let calls = 0;
  onStopSignal(() => (calls += 1), {
    system,
    listen: (signal, listener) => listeners.set(signal, listener),
  });
  expect([...listeners.keys()]).toEqual(signals);
  for (const listener of listeners.values()) listener();
  expect(calls).toBe(signals.length);
});
