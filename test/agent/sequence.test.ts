import { expect, test } from 'vitest';
import { CancelAction, EndAction, StartAction } from '../../protocol/messages/action.messages.ts';
import { ACTION_ID, startAgentFixture, NEXT_ACTION_ID, READ_CONTACTLESS, START } from './agent-fixture.ts';
import { INSPECTION } from './fake-network.ts';

test('commands: a repeated command is processed once', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.approve();
  await terminal.settle();
  const steps = terminal.steps.length;
  terminal.network.command(StartAction, { ...START, seq: 1, expiresAtMs: terminal.clock.nowMs() + 10_000 });
  terminal.network.command(CancelAction, { actionId: ACTION_ID, seq: 2 });
  expect(terminal.steps).toHaveLength(steps);
  expect(terminal.state).toBe('approved.completing');
});

test('commands: after a lost command the next is processed, and the terminal inquires', () => {
  const terminal = startAgentFixture();
  terminal.start({ receiptPrintingSource: 'PointOfSale' });
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.network.takeReports();
  terminal.network.loseCommand(ACTION_ID);
  terminal.approve();
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
  expect(terminal.network.takeReports()).toEqual(['receipt.ready', 'action.inquired', 'receipt.ready']);
});

test('commands: one inquiry for each gap', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.network.loseCommand(ACTION_ID);
  terminal.network.takeReports();
  terminal.start();
  terminal.start();
  const inquiries = terminal.network.takeReports().filter((name) => name === 'action.inquired');
  expect(inquiries).toHaveLength(1);
});

test('commands: a link that loses a part of each answer leads to one inquiry a second', async () => {
  const terminal = startAgentFixture();
  terminal.start({ receiptPrintingSource: 'PointOfSale' });
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.network.takeReports();
  const inquiries = () => terminal.network.takeReports().filter((name) => name === 'action.inquired').length;
  const answer = () => {
    terminal.network.loseCommand(ACTION_ID);
    terminal.approve();
  };
  answer();
  answer();
  answer();
  expect(inquiries()).toBe(1);
  await terminal.clock.advance(999);
  expect(inquiries()).toBe(0);
  await terminal.clock.advance(1);
  expect(inquiries()).toBe(1);
  answer();
  terminal.network.loseCommand(ACTION_ID);
  terminal.end('Cancelled');
  await terminal.clock.advance(5_000);
  expect(inquiries()).toBe(0);
});

test('commands: a final command after a gap ends the action without an inquiry', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.network.takeReports();
  terminal.network.loseCommand(ACTION_ID);
  terminal.end('Cancelled');
  expect(terminal.network.takeReports()).toEqual([]);
  expect(terminal.agent.status).toEqual({});
});

test('start: a repeated start gets the reports of the state again, without another card request', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.network.takeReports();
  terminal.reader.takeCalls();
  terminal.start({ expiresAtMs: 0 });
  expect(terminal.network.takeReports()).toEqual(['action.accepted', 'action.authorise']);
  expect(terminal.reader.takeCalls()).toEqual([]);
  expect(terminal.state).toBe('authorising');
});

test('start: ignored after its expiry', () => {
  const terminal = startAgentFixture();
  terminal.network.takeReports();
  terminal.start({ expiresAtMs: terminal.clock.nowMs() - 1 });
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.takeReports()).toEqual([]);
  expect(terminal.reader.takeCalls()).toEqual([]);
});

test('start: accepted at the moment of its expiry', () => {
  const terminal = startAgentFixture();
  terminal.start({ expiresAtMs: terminal.clock.nowMs() });
  expect(terminal.state).toBe('awaitingCard');
});

test('start: ignored for an action that has ended', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.end('Cancelled');
  terminal.network.takeReports();
  terminal.start({ seq: 1 });
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.takeReports()).toEqual([]);
});

test('start: the next action supersedes the current one, its reader, deadlines and commands', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.takeCalls();
  terminal.start({ actionId: NEXT_ACTION_ID, presentCardMs: 300_000 });
  expect(terminal.agent.status).toEqual({ actionId: NEXT_ACTION_ID, state: 'awaitingCard' });
  expect(terminal.reader.takeCalls()).toEqual(['end', 'begin', 'awaitCard']);
  expect(terminal.journal.load()).toMatchObject({ actionId: NEXT_ACTION_ID });
  expect(terminal.clock.due).toHaveLength(1);
  expect(terminal.network.last('action.accepted')).toEqual({ actionId: NEXT_ACTION_ID, seq: 1 });

  terminal.network.command(EndAction, { actionId: ACTION_ID, status: 'Cancelled' });
  terminal.start();
  await terminal.clock.advance(120_000);
  expect(terminal.agent.status).toEqual({ actionId: NEXT_ACTION_ID, state: 'awaitingCard' });
});

test('receipts: a copy of a superseded action does not count for the next', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.approve();
  terminal.start({ actionId: NEXT_ACTION_ID });
  await terminal.settle();
  expect(terminal.agent.status).toEqual({ actionId: NEXT_ACTION_ID, state: 'awaitingCard' });
});

test('start: an expired start does not supersede', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.start({ actionId: NEXT_ACTION_ID, expiresAtMs: terminal.clock.nowMs() - 1 });
  expect(terminal.agent.status.actionId).toBe(ACTION_ID);
});

test('reports: numbered without a gap when some are lost', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.network.cut();
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.network.restore();
  terminal.approve();
  await terminal.settle();
  const seqs = terminal.network.sent
    .filter(({ name, body }) => !INSPECTION.has(name) && body['actionId'] === ACTION_ID)
    .map(({ body }) => body['seq']);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test('journal: stores the number of a command that changes nothing', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.approve();
  expect(terminal.state).toBe('awaitingCard');
  expect(terminal.journal.load()).toMatchObject({ lastSeqSeen: 2 });
});

test('reader: an event from within a call is processed in order', async () => {
  const terminal = startAgentFixture();
  terminal.reader.onAwaitCard = () => terminal.reader.emit(...READ_CONTACTLESS);
  terminal.start();
  expect(terminal.steps.map((step) => step.event)).toEqual(['action.started', 'card.presented', 'card.read']);
  await terminal.settle();
  const told = terminal.network.sent
    .filter(({ name }) => name === 'machine.stepped')
    .map(({ body }) => body['event']);
  expect(told).toEqual(['action.started', 'card.presented', 'card.read']);
});
