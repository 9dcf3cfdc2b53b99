import { expect, test } from 'vitest';
import { startProgress, withProgress } from '../../../cli/command-line/progress.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

function watched(isTerminal: boolean) {
  const clock = new VirtualClock(0);
  const written: string[] = [];
  const err = { write: (text: string) => void written.push(text), isTerminal, colours: false };
  return { context: { clock, err }, clock, written };
}

test('startProgress: prints nothing in the first second', async () => {
  const { context, clock, written } = watched(true);
  const progress = startProgress(context, 'Waiting');
  await clock.advance(999);
  progress.end();
  await clock.advance(60_000);
  expect(written).toEqual([]);
});

test('startProgress: on a terminal rewrites one line and clears it at the end', async () => {
  const { context, clock, written } = watched(true);
  const progress = startProgress(context, 'Waiting');
  await clock.advance(1_000);
  progress.show('3 of 9');
  await clock.advance(1_000);
  progress.end();
  expect(written).toEqual(['\r\x1b[KWaiting (1 s)', '\r\x1b[K3 of 9 (2 s)', '\r\x1b[K']);
});

test('startProgress: into a file prints a line every ten seconds', async () => {
  const { context, clock, written } = watched(false);
  const progress = startProgress(context, 'Waiting');
  await clock.advance(12_000);
  progress.end();
  expect(written).toEqual(['Waiting (1 s)\n', 'Waiting (11 s)\n']);
});

test('withProgress: ends the progress when the work fails', async () => {
  const { context, clock, written } = watched(false);
  const work = withProgress(context, 'Waiting', () => Promise.reject(new Error('no')));
  await expect(work).rejects.toThrow('no');
  await clock.advance(60_000);
  expect(written).toEqual([]);
});
