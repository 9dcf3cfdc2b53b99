import { expect, test } from 'vitest';
import { CancelAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  READ_CHIP,
  READ_CONTACTLESS,
  type AgentFixture,
} from './agent-fixture.ts';

const PREPARE: [string, (terminal: AgentFixture) => void][] = [
  ['awaitingCard', () => {}],
  ['reading', ({ reader }) => reader.emit(READ_CHIP[0]!)],
  ['awaitingPin', ({ reader }) => reader.emit(...READ_CHIP)],
  ['verifyingPin', ({ reader }) => reader.emit(...READ_CHIP, { type: 'pin.entered' })],
];

test.each(PREPARE)('cancel key while %s: abandons the action, which ends as Failed', (state, prepare) => {
  const terminal = startAgentFixture();
  terminal.start();
  prepare(terminal);
  expect(terminal.state).toBe(state);
  terminal.reader.emit({ type: 'cancel.pressed' });
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'cancelled_on_terminal' });
  terminal.end('Failed', 'cancelled_on_terminal');
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Cancelled']);
});

test('cancel key: ignored after the authorisation request', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS, { type: 'cancel.pressed' });
  expect(terminal.state).toBe('authorising');
});

const STATES: [string, (terminal: AgentFixture) => void | Promise<void>][] = [
  ...PREPARE,
  ['authorising', ({ reader }) => reader.emit(...READ_CONTACTLESS)],
  [
    'approved.printing.merchantCopy',
    (terminal) => {
      terminal.printer.outcome = 'jam';
      terminal.reader.emit(...READ_CONTACTLESS);
      terminal.approve();
    },
  ],
  [
    'approved.completing',
    async (terminal) => {
      terminal.reader.emit(...READ_CONTACTLESS);
      terminal.approve();
      await terminal.settle();
    },
  ],
  ['abandoning', ({ reader }) => reader.emit({ type: 'cancel.pressed' })],
  [
    'reversing',
    ({ reader }) => reader.emit(...READ_CONTACTLESS, { type: 'reader.failed', reason: 'unplugged' }),
  ],
];

test.each(STATES)(
  'cancellation by the point of sale while %s: frees the reader for the next action',
  async (state, prepare) => {
    const terminal = startAgentFixture();
    terminal.start();
    await prepare(terminal);
    expect(terminal.state).toBe(state);
    terminal.network.command(CancelAction, { actionId: ACTION_ID });
    expect(terminal.state).toBe('cancelling');
    expect(terminal.steps.at(-1)?.status).toBe('Cancelled');
    expect(terminal.reader.takeCalls().at(-1)).toBe('end');
    terminal.end('Cancelled');
    expect(terminal.journal.load()).toBeUndefined();
    expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Cancelled']);
    expect(terminal.clock.due).toEqual([]);
  },
);

test.each(STATES)('end by the server while %s: ends the action', async (state, prepare) => {
  const terminal = startAgentFixture();
  terminal.start();
  await prepare(terminal);
  expect(terminal.state).toBe(state);
  terminal.end('Failed', 'unexpected_error');
  expect(terminal.agent.status).toEqual({});
  expect(terminal.journal.load()).toBeUndefined();
});
