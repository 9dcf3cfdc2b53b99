import { expect, test } from 'vitest';
import { CancelAction, DecideAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  DEVICE_APPROVED,
  NOW_MS,
  NEXT_ACTION_ID,
  type AgentFixture,
} from './agent-fixture.ts';

const REVERSE = 'reverse 0042 of this action';

/** A payment terminal whose own bank has said yes; the server has not had its word yet. */
function approvedByItsBank(): AgentFixture {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(DEVICE_APPROVED);
  terminal.reader.takeCalls();
  return terminal;
}

test('payment terminal: reports its approval and uses its receipts', async () => {
  const terminal = approvedByItsBank();
  expect(terminal.network.last('action.authorise')).toMatchObject({ device: DEVICE_APPROVED.approval });
  terminal.approve();
  await terminal.settle();
  expect(terminal.printer.copies.map(({ text }) => text)).toEqual(['Haendlerbeleg', 'Kundenbeleg']);
  terminal.end('Succeeded');
  expect(terminal.reader.takeCalls()).not.toContain(REVERSE);
  expect(terminal.agent.status).toEqual({});
});

test('payment terminal: reverses the approval of an action that the server cancelled, before the action ends', async () => {
  const terminal = approvedByItsBank();
  terminal.network.command(CancelAction, { actionId: ACTION_ID });
  terminal.end('Cancelled');
  expect(terminal.state).toBe('reversingAtDevice.cancelled');
  expect(terminal.agent.screen.at(-1)).toBe('Taking the payment back');
  await terminal.settle();
  expect(terminal.reader.takeCalls().filter((call) => call === REVERSE)).toHaveLength(1);
  expect(terminal.agent.status).toEqual({});
  expect(terminal.agent.screen.at(-1)).toBe('Cancelled');
});

test('payment terminal: reverses the approval when the server declines', async () => {
  const terminal = approvedByItsBank();
  terminal.network.command(DecideAction, { actionId: ACTION_ID, outcome: 'declined', code: 'some_code' });
  terminal.end('Failed', 'some_code');
  await terminal.settle();
  expect(terminal.reader.takeCalls()).toContain(REVERSE);
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.last('reversal.reported')).toEqual({
    actionId: ACTION_ID,
    reference: '0042',
    outcome: 'Reversed',
    amountMinor: 1742,
    currency: 'GBP',
    atMs: NOW_MS,
  });
});

test('payment terminal: retries a failed reversal each minute, also after a power cut', async () => {
  const terminal = approvedByItsBank();
  terminal.reader.failAt.add(REVERSE);
  terminal.end('Failed', 'timeout');
  await terminal.settle();
  expect(terminal.state).toBe('reversingAtDevice.failed');
  expect(terminal.network.last('reversal.reported')).toMatchObject({
    outcome: 'NotReversed',
    reason: 'the reader is unplugged',
  });
  await terminal.clock.advance(60_000);
  expect(terminal.reader.takeCalls().filter((call) => call === REVERSE)).toHaveLength(2);

  terminal.reader.failAt.clear();
  terminal.powerCycle();
  await terminal.settle();
  expect(terminal.reader.takeCalls()).toContain(`${REVERSE}, which may be sent`);
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.last('reversal.reported')).toMatchObject({ outcome: 'Reversed' });
});

test('payment terminal: starts no other action before the server decides on the approval', () => {
  const terminal = approvedByItsBank();
  terminal.start({ actionId: NEXT_ACTION_ID });
  expect(terminal.agent.status.actionId).toBe(ACTION_ID);
  expect(terminal.network.last('action.inquired')).toMatchObject({ actionId: ACTION_ID });
});

test('payment terminal: a decline by its bank ends the action', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit({ type: 'device.declined', reason: 'limit' });
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'card_declined' });
});
