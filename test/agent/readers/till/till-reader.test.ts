import { expect, test } from 'vitest';
import type { ReaderEvent } from '../../../../agent/readers/reader.ts';
import type {
  DeviceOutcome,
  TerminalSession,
  TillLanguage,
} from '../../../../agent/readers/till/language.ts';
import { createTillReader } from '../../../../agent/readers/till/till-reader.ts';
import { cardOf, DEVICE_APPROVED } from '../../agent-fixture.ts';
import { REQUEST, scriptedLine } from './scripted-line.ts';

const { approval } = DEVICE_APPROVED;
const APPROVED: DeviceOutcome = { type: 'approved', card: cardOf('Contactless'), approval };

/** A till at a terminal that answers when the test says so. */
function tillAt(more: Partial<TillLanguage> = {}) {
  const fixture = scriptedLine(() => {});
  const calls: string[] = [];
  const answers: ((answer: DeviceOutcome) => void)[] = [];
  const reversals: ((left: string | undefined) => void)[] = [];
  const ask = (name: string) => {
    calls.push(name);
    return new Promise<DeviceOutcome>((resolve) => void answers.push(resolve));
  };
  const session: TerminalSession = {
    transact: () => ask('transact'),
    findOutcome: () => ask('findOutcome'),
    reverse() {
      calls.push('reverse');
      return new Promise((resolve) => void reversals.push(resolve));
    },
    async close() {
      calls.push('close');
    },
  };
  const language = { name: 'scripted', refuse: () => undefined, open: async () => session, ...more };
  const reader = createTillReader(fixture.parts, language);
  const events: ReaderEvent[] = [];
  reader.begin(REQUEST, (event) => void events.push(event));
  const settle = () => fixture.clock.advance(1);
  return { ...fixture, reported: fixture.reversals, reader, events, calls, answers, reversals, settle };
}

test('till: an action that a person settles while its outcome is asked for is neither reversed nor reported', async () => {
  for (const late of [APPROVED, { type: 'unknown', reason: 'no answer' }] as const) {
    const till = tillAt();
    till.reader.findOutcome!();
    await till.settle();
    till.reader.end();
    expect(till.calls).toEqual(['findOutcome', 'close']);
    till.answers[0]!(late);
    await till.settle();
    expect(till.calls).not.toContain('reverse');
    expect(till.reported).toEqual([]);
    expect(till.events).toEqual([]);
  }
});

test('till: an action that ends before the terminal is connected is not asked for', async () => {
  const till = tillAt();
  till.reader.findOutcome!();
  await Promise.resolve();
  till.reader.end();
  await till.settle();
  expect(till.calls).toEqual(['close']);
  expect(till.reported).toEqual([]);
});
