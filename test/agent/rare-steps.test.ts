import { expect, test } from 'vitest';
import type { ReaderEvent } from '../../agent/readers/reader.ts';
import { DecideAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  CHIP,
  READ_CHIP,
  READ_CONTACTLESS,
  type AgentFixture,
} from './agent-fixture.ts';

const unreadable: ReaderEvent = { type: 'card.unreadable', reason: 'mute' };

/** A terminal that awaits a card, two having been unreadable before. */
function onLastTry(): AgentFixture {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(unreadable, unreadable);
  expect(terminal.state).toBe('awaitingCard');
  return terminal;
}

const abandonedFor = ({ network }: AgentFixture) => network.last('action.abandoned')?.['code'];

test.each<[string, ReaderEvent[]]>([
  ['while it is read', [READ_CHIP[0]!]],
  ['while the PIN is typed', READ_CHIP],
  ['while the PIN is verified', [...READ_CHIP, { type: 'pin.entered' }]],
])('card: a third card that turns out unreadable %s ends the action', (_when, before) => {
  const terminal = onLastTry();
  terminal.reader.emit(...before, unreadable);
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe('bad_track_data');
});

test.each<[string, ReaderEvent[]]>([
  ['while the PIN is typed', READ_CHIP],
  ['while the PIN is verified', [...READ_CHIP, { type: 'pin.entered' }]],
])('card: a third card removed %s ends the action', (_when, before) => {
  const terminal = onLastTry();
  terminal.reader.emit(...before, { type: 'card.removed' });
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe('bad_track_data');
});

test.each<[string, ReaderEvent, string]>([
  ['that declines', { type: 'card.declined', reason: 'AAC' }, 'card_declined'],
  ['whose reader is unplugged', { type: 'reader.failed', reason: 'unplugged' }, 'unexpected_error'],
  ['whose holder presses cancel', { type: 'cancel.pressed' }, 'cancelled_on_terminal'],
])('card: one %s during PIN entry ends the action', (_what, fact, code) => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP, fact);
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe(code);
});

const verifying = (): AgentFixture => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP, { type: 'pin.entered' });
  expect(terminal.state).toBe('verifyingPin');
  return terminal;
};

test('chip card: may be presented again when it stops responding during PIN verification', () => {
  const terminal = verifying();
  terminal.reader.emit(unreadable);
  expect(terminal.state).toBe('awaitingCard');
});

test.each<[string, ReaderEvent, string]>([
  ['that declines', { type: 'card.declined', reason: 'AAC' }, 'card_declined'],
  ['whose reader is unplugged', { type: 'reader.failed', reason: 'unplugged' }, 'unexpected_error'],
  ['whose holder presses cancel', { type: 'cancel.pressed' }, 'cancelled_on_terminal'],
])('card: one %s during PIN verification ends the action', (_what, fact, code) => {
  const terminal = verifying();
  terminal.reader.emit(fact);
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe(code);
});

test('timeout: no PIN verification in time ends the action', async () => {
  const terminal = verifying();
  await terminal.clock.advance(120_000);
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe('timeout');
});

test('receipts: at the point of sale after a completed chip transaction', () => {
  const terminal = startAgentFixture();
  terminal.start({ receiptPrintingSource: 'PointOfSale' });
  terminal.reader.emit(...READ_CHIP, { type: 'pin.entered' });
  terminal.reader.emit({ type: 'pin.accepted', method: 'OnlinePin', chip: CHIP });
  terminal.network.command(DecideAction, {
    actionId: ACTION_ID,
    outcome: 'approved',
    authorisationCode: '7H3K2P',
    chip: { emv: '8A023030' },
  });
  terminal.reader.emit({ type: 'card.completed' });
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
});

test('reader: a failure at the approval reverses it', () => {
  const terminal = startAgentFixture({
    // Both are on their way to the machine before it has taken either.
    onStep({ state }) {
      if (state !== 'authorising') return;
      terminal.approve();
      terminal.reader.emit({ type: 'reader.failed', reason: 'unplugged' });
    },
  });
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  expect(terminal.steps.map(({ state }) => state)).toContain('approved.printing.merchantCopy');
  expect(terminal.state).toBe('reversing');
  expect(abandonedFor(terminal)).toBe('unexpected_error');
});

const reading = (): AgentFixture => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(READ_CHIP[0]!);
  expect(terminal.state).toBe('reading');
  return terminal;
};

test.each<[string, ReaderEvent, string]>([
  ['whose reader is unplugged', { type: 'reader.failed', reason: 'unplugged' }, 'unexpected_error'],
  ['that its own bank declines', { type: 'device.declined', reason: 'the bank says no' }, 'card_declined'],
  ['that declines', { type: 'card.declined', reason: 'AAC' }, 'card_declined'],
])('card: one %s during reading ends the action', (_what, fact, code) => {
  const terminal = reading();
  terminal.reader.emit(fact);
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe(code);
});

test('card: may be presented again when removed during reading', () => {
  const terminal = reading();
  terminal.reader.emit({ type: 'card.removed' });
  expect(terminal.state).toBe('awaitingCard');
});

test('timeout: a card that is not read in time ends the action', async () => {
  const terminal = reading();
  await terminal.clock.advance(120_000);
  expect(terminal.state).toBe('abandoning');
  expect(abandonedFor(terminal)).toBe('timeout');
});
