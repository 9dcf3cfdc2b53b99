import { expect, test } from 'vitest';
import { CancelAction, EndAction, StartAction } from '../../protocol/messages/action.messages.ts';
import { ACTION_ID, bench, NEXT_ACTION_ID, READ_CONTACTLESS, START } from './agent-bench.ts';
import { INSPECTION } from './fake-link.ts';

test('a command that comes twice is taken once', async () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CONTACTLESS);
  terminal.approve();
  await terminal.settle();
  const steps = terminal.steps.length;
  terminal.network.command(StartAction, { ...START, seq: 1, expiresAtMs: terminal.clock.nowMs() + 10_000 });
  terminal.network.command(CancelAction, { actionId: ACTION_ID, seq: 2 });
  expect(terminal.steps).toHaveLength(steps);
  expect(terminal.state).toBe('approved.completing');
});

test('a command that was lost is missed: the next one is taken, and the server is asked for the rest', () => {
  const terminal = bench();
  terminal.start({ receiptPrintingSource: 'PointOfSale' });
  terminal.reader.tell(...READ_CONTACTLESS);
  terminal.network.takeReports();
  terminal.network.loseCommand(ACTION_ID);
  terminal.approve();
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
  expect(terminal.network.takeReports()).toEqual(['receipt.ready', 'action.inquired', 'receipt.ready']);
});

test('a gap is asked about once: what the server repeats has no gap of its own', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CONTACTLESS);
  terminal.network.loseCommand(ACTION_ID);
  terminal.network.takeReports();
  terminal.start();
  terminal.start();
  const inquiries = terminal.network.takeReports().filter((name) => name === 'action.inquired');
  expect(inquiries).toHaveLength(1);
});

test('a last word after a gap settles the action: there is nothing left to ask', () => {
  const terminal = bench();
  terminal.start();
  terminal.network.takeReports();
  terminal.network.loseCommand(ACTION_ID);
  terminal.end('Cancelled');
  expect(terminal.network.takeReports()).toEqual([]);
  expect(terminal.agent.status).toEqual({});
});

test('a start that the server repeats is accepted again, and the card is not asked for twice', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CONTACTLESS);
  terminal.network.takeReports();
  terminal.reader.takeCalls();
  terminal.start({ expiresAtMs: 0 });
  expect(terminal.network.takeReports()).toEqual(['action.accepted']);
  expect(terminal.reader.takeCalls()).toEqual([]);
  expect(terminal.state).toBe('authorising');
});

test('a start that comes too late is void', () => {
  const terminal = bench();
  terminal.network.takeReports();
  terminal.start({ expiresAtMs: terminal.clock.nowMs() - 1 });
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.takeReports()).toEqual([]);
  expect(terminal.reader.takeCalls()).toEqual([]);
});

test('a start that comes at its last moment counts', () => {
  const terminal = bench();
  terminal.start({ expiresAtMs: terminal.clock.nowMs() });
  expect(terminal.state).toBe('awaitingCard');
});

test('a start of an action that is over begins nothing', () => {
  const terminal = bench();
  terminal.start();
  terminal.end('Cancelled');
  terminal.network.takeReports();
  terminal.start({ seq: 1 });
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.takeReports()).toEqual([]);
});

test('the next action supersedes the one under way, whose reader, deadlines and commands are gone', async () => {
  const terminal = bench();
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

test('a copy that comes out after its action was superseded is not counted for the next', async () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CONTACTLESS);
  terminal.approve();
  terminal.start({ actionId: NEXT_ACTION_ID });
  await terminal.settle();
  expect(terminal.agent.status).toEqual({ actionId: NEXT_ACTION_ID, state: 'awaitingCard' });
});

test('a start that comes too late does not supersede', () => {
  const terminal = bench();
  terminal.start();
  terminal.start({ actionId: NEXT_ACTION_ID, expiresAtMs: terminal.clock.nowMs() - 1 });
  expect(terminal.agent.status.actionId).toBe(ACTION_ID);
});

test('reports are numbered without a gap, whatever is lost in between', async () => {
  const terminal = bench();
  terminal.start();
  terminal.network.cut();
  terminal.reader.tell(...READ_CONTACTLESS);
  terminal.network.mend();
  terminal.approve();
  await terminal.settle();
  const seqs = terminal.network.sent
    .filter(({ name, body }) => !INSPECTION.has(name) && body['actionId'] === ACTION_ID)
    .map(({ body }) => body['seq']);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test('a command that changes nothing is noted in the journal all the same', () => {
  const terminal = bench();
  terminal.start();
  terminal.approve();
  expect(terminal.state).toBe('awaitingCard');
  expect(terminal.journal.load()).toMatchObject({ lastSeqSeen: 2 });
});

test('a reader that answers from within the call is heard in its turn', () => {
  const terminal = bench();
  terminal.reader.onAwaitCard = () => terminal.reader.tell(...READ_CONTACTLESS);
  terminal.start();
  expect(terminal.steps.map((step) => step.event)).toEqual(['action.started', 'card.presented', 'card.read']);
  const told = terminal.network.sent
    .filter(({ name }) => name === 'machine.stepped')
    .map(({ body }) => body['event']);
  expect(told).toEqual(['action.started', 'card.presented', 'card.read']);
});
