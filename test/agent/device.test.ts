import { expect, test } from 'vitest';
import { CancelAction, DecideAction } from '../../protocol/messages/action.messages.ts';
import { ACTION_ID, bench, DEVICE_APPROVED, NEXT_ACTION_ID, type AgentBench } from './agent-bench.ts';

const REVERSE = 'reverse 0042 of this action';

/** A payment terminal whose own bank has said yes; the server has not had its word yet. */
function approvedByItsBank(): AgentBench {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(DEVICE_APPROVED);
  terminal.reader.takeCalls();
  return terminal;
}

test('an approval of the device goes to the server, and its receipts are the receipts', async () => {
  const terminal = approvedByItsBank();
  expect(terminal.network.last('action.authorise')).toMatchObject({ device: DEVICE_APPROVED.approval });
  terminal.approve();
  await terminal.settle();
  expect(terminal.printer.copies.map(({ text }) => text)).toEqual(['Haendlerbeleg', 'Kundenbeleg']);
  terminal.end('Succeeded');
  expect(terminal.reader.takeCalls()).not.toContain(REVERSE);
  expect(terminal.agent.status).toEqual({});
});

test('what the server cancelled meanwhile is taken back at the device before the action is over', async () => {
  const terminal = approvedByItsBank();
  terminal.network.command(CancelAction, { actionId: ACTION_ID });
  terminal.end('Cancelled');
  expect(terminal.state).toBe('takingBack.cancelled');
  expect(terminal.agent.screen.at(-1)).toBe('Taking the payment back');
  await terminal.settle();
  expect(terminal.reader.takeCalls().filter((call) => call === REVERSE)).toHaveLength(1);
  expect(terminal.agent.status).toEqual({});
  expect(terminal.agent.screen.at(-1)).toBe('Cancelled');
});

test('a server that declines has it taken back too', async () => {
  const terminal = approvedByItsBank();
  terminal.network.command(DecideAction, { actionId: ACTION_ID, outcome: 'declined', code: 'some_code' });
  terminal.end('Failed', 'some_code');
  await terminal.settle();
  expect(terminal.reader.takeCalls()).toContain(REVERSE);
  expect(terminal.agent.status).toEqual({});
});

test('a device that cannot take it back now is asked again each minute, also after a power cut', async () => {
  const terminal = approvedByItsBank();
  terminal.reader.failAt.add(REVERSE);
  terminal.end('Failed', 'timeout');
  await terminal.settle();
  expect(terminal.state).toBe('takingBack.failed');
  await terminal.clock.advance(60_000);
  expect(terminal.reader.takeCalls().filter((call) => call === REVERSE)).toHaveLength(2);

  terminal.reader.failAt.clear();
  terminal.powerCycle();
  await terminal.settle();
  expect(terminal.reader.takeCalls()).toContain(REVERSE);
  expect(terminal.agent.status).toEqual({});
});

test('no other action begins before the server has said what becomes of the money at the device', () => {
  const terminal = approvedByItsBank();
  terminal.start({ actionId: NEXT_ACTION_ID });
  expect(terminal.agent.status.actionId).toBe(ACTION_ID);
  expect(terminal.network.last('action.inquired')).toMatchObject({ actionId: ACTION_ID });
});

test('a bank that says no ends the action', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell({ type: 'device.declined', reason: 'limit' });
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'card_declined' });
});
