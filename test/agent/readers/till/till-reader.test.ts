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
  let refusals = 0;
  const open = async () => {
    if (refusals-- > 0) throw new Error('no answer');
    return session;
  };
  const language = { name: 'scripted', refuse: () => undefined, open, ...more };
  const reader = createTillReader(fixture.parts, language);
  const events: ReaderEvent[] = [];
  reader.begin(REQUEST, (event) => void events.push(event));
  const refuseNext = () => void (refusals = 1);
  const settle = () => fixture.clock.advance(1);
  return {
    ...fixture,
    reported: fixture.reversals,
    reader,
    events,
    calls,
    answers,
    reversals,
    refuseNext,
    settle,
  };
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

test('till: a reversal that is asked for again is sent once', async () => {
  const till = tillAt();
  const first = till.reader.reverse!(REQUEST, approval);
  await till.settle();
  const second = till.reader.reverse!(REQUEST, approval);
  await till.settle();
  till.reversals[0]!('refused');
  expect(await first).toEqual({ notReversed: 'refused' });
  expect(await second).toEqual({ notReversed: 'refused' });
  expect(await till.reader.reverse!(REQUEST, approval)).toEqual({ notReversed: 'refused' });
  expect(till.calls).toEqual(['reverse', 'close']);
});

test('till: a reversal is tried again where the terminal did not accept the connection', async () => {
  const till = tillAt();
  till.refuseNext();
  await expect(till.reader.reverse!(REQUEST, approval)).rejects.toThrow('no answer');
  const again = till.reader.reverse!(REQUEST, approval);
  await till.settle();
  till.reversals[0]!(undefined);
  expect(await again).toBeUndefined();
});

test('till: a reversal by amount that an earlier process may have sent is left to a person', async () => {
  const byAmount = tillAt({ reversesByAmount: true });
  expect(await byAmount.reader.reverse!(REQUEST, approval, { mayBeSent: true, isSaved: true })).toEqual({
    notReversed: expect.stringContaining('before the agent restarted'),
  });
  expect(byAmount.calls).toEqual([]);
  const byReference = tillAt();
  void byReference.reader.reverse!(REQUEST, approval, { mayBeSent: true, isSaved: true });
  await byReference.settle();
  expect(byReference.calls).toEqual(['reverse']);
});

test('till: an approval that comes after the server has counted the action as paid stays', async () => {
  for (const paid of [true, false]) {
    const till = tillAt();
    till.reader.awaitCard();
    await till.settle();
    till.reader.sendToDevice!();
    till.reader.end({ paid });
    till.answers[0]!(APPROVED);
    await till.settle();
    expect(till.calls.includes('reverse')).toBe(!paid);
  }
});

/** A till whose terminal has the request. */
async function tillThatHasSent(more: Partial<TillLanguage> = {}) {
  const till = tillAt(more);
  till.reader.awaitCard();
  await till.settle();
  till.reader.sendToDevice!();
  return till;
}

const UNKNOWN: DeviceOutcome = { type: 'unknown', reason: 'no answer' };

test('till: an approval is reversed that comes after the end of an action of which the server was not told', async () => {
  for (const told of [false, true]) {
    const till = await tillThatHasSent();
    await till.clock.advance(180_000);
    expect(till.events.at(-1)).toMatchObject({ type: 'device.unknown' });
    if (told) till.reader.unknownReported!();
    till.reader.end();
    expect(till.calls.includes('close')).toBe(told);
    till.answers[0]!(APPROVED);
    await till.settle();
    expect(till.calls.includes('reverse')).toBe(!told);
  }
});

test('till: another payment is refused while the outcome of an earlier one is waited for, and taken once it is there', async () => {
  const till = await tillThatHasSent();
  till.reader.end();
  const pay = async () => {
    const events: ReaderEvent[] = [];
    till.reader.begin(
      { ...REQUEST, actionId: 'act_00000000000000000000000002' },
      (event) => void events.push(event),
    );
    till.reader.awaitCard();
    await till.settle();
    return events;
  };
  const reason = 'the terminal has not answered an earlier request yet';
  expect(await pay()).toEqual([{ type: 'reader.failed', reason }]);
  expect(till.calls).toEqual(['transact']);
  till.answers[0]!({ type: 'declined', reason: 'refused' });
  await till.settle();
  expect(await pay()).toEqual([{ type: 'device.ready' }]);
});

test('till: an unknown outcome is reported with an action that has ended before the server was told', async () => {
  for (const told of [false, true]) {
    const till = await tillThatHasSent();
    till.answers[0]!(UNKNOWN);
    await till.settle();
    if (told) till.reader.unknownReported!();
    till.reader.end();
    await till.settle();
    expect(till.reported).toEqual(
      told ? [] : [expect.objectContaining({ outcome: 'NotReversed', reason: 'no answer' })],
    );
  }
});

test('till: what is unknown is reported with an action that the server has ended without a person, also if it was told', async () => {
  const answered = await tillThatHasSent();
  answered.answers[0]!(UNKNOWN);
  await answered.settle();
  const overdue = await tillThatHasSent();
  await overdue.clock.advance(180_000);
  const asked = tillAt();
  asked.reader.findOutcome!();
  await asked.settle();
  for (const till of [answered, overdue, asked]) {
    till.reader.unknownReported!();
    till.reader.end({ unsettled: true });
    await till.settle();
  }
  overdue.answers[0]!(UNKNOWN);
  asked.answers[0]!(UNKNOWN);
  await overdue.settle();
  await asked.settle();
  for (const { reported } of [answered, overdue, asked])
    expect(reported).toEqual([expect.objectContaining({ outcome: 'NotReversed', reason: 'no answer' })]);
});

test('till: what an earlier process has sent is reported with an action that ends before the terminal is asked', async () => {
  const till = tillAt();
  till.reader.findOutcome!();
  till.reader.end({ unsettled: true });
  await till.settle();
  expect(till.calls).toEqual([]);
  expect(till.reported).toEqual([
    expect.objectContaining({
      outcome: 'NotReversed',
      reason: expect.stringContaining('before the terminal was asked'),
    }),
  ]);
});

test('till: an outcome that comes after an unknown one takes its place, also while the server knows of neither', async () => {
  for (const late of [APPROVED, { type: 'declined', reason: 'refused' }] as const) {
    const till = await tillThatHasSent();
    await till.clock.advance(180_000);
    expect(till.events.at(-1)).toMatchObject({ type: 'device.unknown' });
    till.answers[0]!(late);
    await till.settle();
    expect(till.events.at(-1)).toMatchObject({ type: `device.${late.type}` });
    till.reader.end();
    await till.settle();
    expect(till.reported).toEqual([]);
  }
});

test('till: an unknown outcome of an action that the agent stops within is left to the next process', async () => {
  const till = await tillThatHasSent();
  till.answers[0]!(UNKNOWN);
  await till.settle();
  till.reader.beforeStop!();
  till.reader.end();
  await till.reader.close();
  expect(till.reported).toEqual([]);
});

test('till: a late approval is reported before it is reversed, and afterwards as reversed', async () => {
  const till = await tillThatHasSent();
  till.reader.end();
  till.answers[0]!(APPROVED);
  await till.settle();
  const { reference } = approval;
  expect(till.reported).toMatchObject([
    { outcome: 'NotReversed', reason: 'it is being reversed', reference },
  ]);
  till.reversals[0]!(undefined);
  await till.settle();
  expect(till.reported.at(-1)).toMatchObject({ outcome: 'Reversed', reference });
});

test('till: what a terminal has of an action that has ended is kept for a power cut until it answers', async () => {
  for (const late of [APPROVED, UNKNOWN, { type: 'declined', reason: 'refused' }] as const) {
    const till = await tillThatHasSent();
    expect([...till.held]).toEqual([]);
    till.reader.end();
    expect([...till.held]).toMatchObject([
      { outcome: 'NotReversed', reason: expect.stringContaining('lost its power') },
    ]);
    till.answers[0]!(late);
    await till.settle();
    expect([...till.held]).toEqual([]);
    expect(till.reported.length).toBe(late.type === 'declined' ? 0 : 1);
  }
  const paid = await tillThatHasSent();
  paid.reader.end({ paid: true });
  expect([...paid.held]).toEqual([]);
});

test('till: what a terminal has of an action that has ended is reported when the agent stops', async () => {
  const till = await tillThatHasSent();
  till.reader.end();
  till.reader.beforeStop!();
  expect(till.reported).toMatchObject([
    { outcome: 'NotReversed', reason: expect.stringContaining('the agent stopped') },
  ]);
});

test('till: a connection that cannot be closed changes neither an outcome nor a reversal', async () => {
  const till = tillAt();
  const language = { name: 'scripted', refuse: () => undefined, open: async () => session };
  const session: TerminalSession = {
    transact: async () => APPROVED,
    reverse: async () => undefined,
    close: () => Promise.reject(new Error('the port is gone')),
  };
  const reader = createTillReader(till.parts, language);
  const events: ReaderEvent[] = [];
  reader.begin(REQUEST, (event) => void events.push(event));
  reader.awaitCard();
  await till.settle();
  reader.sendToDevice!();
  await till.settle();
  expect(events.at(-1)).toMatchObject({ type: 'device.approved' });
  expect(await reader.reverse!(REQUEST, approval)).toBeUndefined();
});

test('till: a reversal by amount is not sent while the journal cannot say so', async () => {
  const notSaved = { mayBeSent: false, isSaved: false };
  const byAmount = tillAt({ reversesByAmount: true });
  await expect(byAmount.reader.reverse!(REQUEST, approval, notSaved)).rejects.toThrow('journal');
  const byReference = tillAt();
  void byReference.reader.reverse!(REQUEST, approval, notSaved);
  await byReference.settle();
  expect([byAmount.calls, byReference.calls]).toEqual([[], ['reverse']]);
});
