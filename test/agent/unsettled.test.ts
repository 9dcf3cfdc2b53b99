import { expect, test } from 'vitest';
import { CancelAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  DEVICE_APPROVED,
  NEXT_ACTION_ID,
  startAgentFixture,
  type AgentFixture,
} from './agent-fixture.ts';

/** A payment terminal that cannot be cancelled, and has the request. */
function atDevice(): AgentFixture {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.takeCalls();
  terminal.reader.emit({ type: 'device.ready' });
  return terminal;
}

/** The same, which has not answered. */
function unknown(): AgentFixture {
  const terminal = atDevice();
  terminal.reader.emit({ type: 'device.unknown', reason: 'no answer\nfrom 4012001037140085' });
  return terminal;
}

const unsettled = (terminal: AgentFixture) =>
  terminal.network.sent.filter(({ name }) => name === 'action.unsettled').map(({ body }) => body);

test('request at a payment terminal: is sent once, after the journal and the server know of it', () => {
  const saved: unknown[] = [];
  const terminal = startAgentFixture();
  terminal.start();
  const { reader, journal } = terminal;
  reader.sendToDevice = () => saved.push((journal.load()!.snapshot as { value: string }).value);
  reader.emit({ type: 'device.ready' }, { type: 'device.ready' });
  expect(saved).toEqual(['atDevice']);
  expect(unsettled(terminal)).toMatchObject([{ outcome: 'Pending' }]);
});

test('request at a payment terminal: its outcome ends the wait', () => {
  const approved = atDevice();
  approved.reader.emit(DEVICE_APPROVED);
  expect(approved.network.last('action.authorise')).toMatchObject({ device: DEVICE_APPROVED.approval });
  for (const [event, code] of [
    [{ type: 'device.declined', reason: 'refused' }, 'card_declined'],
    [{ type: 'cancel.pressed' }, 'cancelled_on_terminal'],
    [{ type: 'reader.failed', reason: 'busy' }, 'unexpected_error'],
  ] as const) {
    const refused = atDevice();
    refused.reader.emit(event);
    expect(refused.network.last('action.abandoned')).toMatchObject({ code });
  }
});

test('request at a payment terminal: the time for a card does not end it, and without an outcome it is unknown', async () => {
  const terminal = atDevice();
  await terminal.clock.advance(180_000);
  expect(terminal.state).toBe('atDevice');
  await terminal.clock.advance(60_000);
  expect(terminal.state).toBe('outcomeUnknown');
  expect(unsettled(terminal).at(-1)).toMatchObject({
    outcome: 'Unknown',
    reason: 'the payment terminal has not answered in time',
  });
});

test('unknown outcome: is reported with its reason, without card numbers, and again after an inquiry', async () => {
  const terminal = unknown();
  expect(unsettled(terminal).at(-1)).toMatchObject({ outcome: 'Unknown', reason: 'no answer from ··' });
  await terminal.clock.advance(3_600_000);
  expect(terminal.state).toBe('outcomeUnknown');
  expect(unsettled(terminal).length).toBeGreaterThan(3);
  expect(terminal.network.last('action.abandoned')).toBeUndefined();
});

test('unknown outcome: a late outcome still ends it', () => {
  const terminal = unknown();
  terminal.reader.emit(DEVICE_APPROVED);
  expect(terminal.state).toBe('authorising');
});

test('unknown outcome: the end of the action at the server ends it, and nothing is reversed', async () => {
  for (const status of ['Succeeded', 'Failed'] as const) {
    const terminal = unknown();
    terminal.reader.takeCalls();
    terminal.end(status, status === 'Failed' ? 'unexpected_error' : undefined);
    await terminal.settle();
    expect(terminal.agent.status).toEqual({});
    expect(terminal.reader.takeCalls()).toEqual([status === 'Succeeded' ? 'end, paid' : 'end']);
  }
});

test('unknown outcome: its reader is told when the action ends for another reason than that a person has settled it', async () => {
  const ended = (end: (terminal: AgentFixture) => void) => {
    const terminal = unknown();
    const ends: unknown[] = [];
    terminal.reader.end = (options) => void ends.push(options);
    end(terminal);
    return ends;
  };
  expect(ended((terminal) => terminal.end('Failed', 'unexpected_error'))).toEqual([{ unsettled: false }]);
  for (const code of ['timeout', 'unknown_action'])
    expect(ended((terminal) => terminal.end('Failed', code))).toEqual([{ unsettled: true }]);
  expect(ended((terminal) => terminal.end('Cancelled'))).toEqual([{ unsettled: true }]);
  expect(ended((terminal) => terminal.network.command(CancelAction, { actionId: ACTION_ID }))).toEqual([
    { unsettled: true },
  ]);
});

test('unknown outcome: after a power cut the request is not sent again, and its outcome is asked for', async () => {
  for (const terminal of [atDevice(), unknown()]) {
    terminal.powerCycle();
    await terminal.settle();
    const calls = terminal.reader.takeCalls();
    expect(calls).toContain('findOutcome');
    expect(calls).not.toContain('awaitCard');
    expect(calls).not.toContain('sendToDevice');
    expect(terminal.state).toBe('outcomeUnknown');
    expect(unsettled(terminal).at(-1)).toMatchObject({ outcome: 'Unknown' });
    terminal.reader.emit(DEVICE_APPROVED);
    expect(terminal.state).toBe('authorising');
  }
});

test('request at a payment terminal: after a cancel and a power cut its reader is told of it, and that no person has settled it', async () => {
  for (const terminal of [atDevice(), unknown(), startAgentFixture()]) {
    const isSent = terminal.state !== undefined;
    if (!isSent) terminal.start();
    terminal.network.command(CancelAction, { actionId: ACTION_ID });
    const ends: unknown[] = [];
    terminal.reader.end = (options) => void ends.push(options);
    terminal.powerCycle();
    await terminal.settle();
    expect(terminal.state).toBe('cancelling');
    const calls = terminal.reader.takeCalls();
    expect({ asks: calls.includes('findOutcome'), ends }).toEqual(
      isSent ? { asks: true, ends: [{ unsettled: true }] } : { asks: false, ends: [] },
    );
  }
});

test('request at a payment terminal: its reader is told also where the power is cut as the action ends', async () => {
  for (const [status, code, isUnsettled] of [
    ['Cancelled', undefined, true],
    ['Failed', 'timeout', true],
    ['Failed', 'unexpected_error', false],
    ['Succeeded', undefined, undefined],
  ] as const) {
    const terminal = atDevice();
    terminal.reader.end = () => terminal.agent.powerCut();
    terminal.end(status, code);
    const ends: unknown[] = [];
    terminal.reader.end = (options) => void ends.push(options);
    terminal.powerOn();
    await terminal.settle();
    const asks = terminal.reader.takeCalls().includes('findOutcome');
    expect({ status, asks, ends }).toEqual(
      isUnsettled === undefined
        ? { status, asks: false, ends: [] }
        : { status, asks: true, ends: [{ unsettled: isUnsettled }] },
    );
    expect(terminal.journal.load()).toBeUndefined();
  }
});

test('unknown outcome: a reader that throws while it sends may have sent', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.failAt.add('sendToDevice');
  terminal.reader.emit({ type: 'device.ready' });
  expect(terminal.state).toBe('outcomeUnknown');
});

test('unknown outcome: starts no other action before it is settled', () => {
  const terminal = unknown();
  terminal.start({ actionId: NEXT_ACTION_ID });
  expect(terminal.state).toBe('outcomeUnknown');
  expect(terminal.network.last('action.inquired')).toBeDefined();
});

test('request at a payment terminal: its reader is told once the server has the report of an unknown outcome', async () => {
  for (const cutAt of ['before the report', 'within the report'] as const) {
    const terminal = atDevice();
    let told = 0;
    terminal.reader.onUnknownReported = () => (told += 1);
    if (cutAt === 'before the report') terminal.network.cut();
    else terminal.network.disconnectAt.add('action.unsettled');
    terminal.reader.emit({ type: 'device.unknown', reason: 'no answer' });
    await terminal.settle();
    expect({ cutAt, told }).toEqual({ cutAt, told: 0 });
    terminal.network.restore();
    await terminal.settle();
    expect({ cutAt, told }).toEqual({ cutAt, told: 1 });
  }
});
