import { expect, test } from 'vitest';
import { memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import { ACTION_ID, DEVICE_APPROVED, startAgentFixture, READ_CONTACTLESS, START } from './agent-fixture.ts';

test('journal: the action stays ended after a power cut between its end and the clearing of the journal', () => {
  const journal = memoryJournal();
  let clears = 0;
  const forgetful: ActionJournal = { ...journal, clear: () => void (clears++ > 0 && journal.clear()) };
  const terminal = startAgentFixture({ journal: forgetful });
  terminal.start();
  terminal.end('Cancelled');
  expect(journal.load()).toBeDefined();
  terminal.powerCycle();
  expect(terminal.agent.status).toEqual({});
  expect(terminal.network.last('action.inquired')).toEqual({ seq: 1 });
  expect(journal.load()).toBeUndefined();
});

test.each([
  ['torn', () => JSON.parse('{"actionId":')],
  ['another program’s', () => ({ hello: 'world' })],
  [
    'of a machine with other states',
    () => ({
      actionId: ACTION_ID,
      snapshot: {
        status: 'active',
        value: 'unheardOf',
        context: { start: START },
        historyValue: {},
        children: {},
      },
      nextSeq: 4,
      lastSeqSeen: 2,
    }),
  ],
])('journal: discards an entry that is %s and inquires without an action', (_, load) => {
  let cleared = false;
  const journal: ActionJournal = { load, save: () => {}, clear: () => void (cleared = true) };
  const terminal = startAgentFixture({ journal });
  expect(terminal.network.last('action.inquired')).toEqual({ seq: 1 });
  expect(cleared).toBe(true);
  terminal.start();
  expect(terminal.state).toBe('awaitingCard');
});

test('journal: no action starts when it cannot be written', () => {
  const journal: ActionJournal = {
    ...memoryJournal(),
    save: () => {
      throw new Error('no space left on device');
    },
  };
  const terminal = startAgentFixture({ journal });
  terminal.network.takeReports();
  terminal.start();
  expect(terminal.agent.status).toEqual({});
  expect(terminal.reader.takeCalls()).toEqual([]);
  expect(terminal.network.takeReports()).toEqual([]);
});

/** A terminal in an action, whose journal can be written no more. */
function withFullJournal() {
  const memory = memoryJournal();
  let full = false;
  const journal: ActionJournal = {
    ...memory,
    save: (entry) => {
      if (full) throw new Error('no space left on device');
      memory.save(entry);
    },
  };
  const terminal = startAgentFixture({ journal });
  terminal.start();
  full = true;
  return terminal;
}

test('journal: a failed write during an action does not stop it', async () => {
  const terminal = withFullJournal();
  terminal.reader.emit(...READ_CONTACTLESS);
  terminal.approve();
  await terminal.settle();
  expect(terminal.state).toBe('approved.completing');
});

test('journal: a request that cannot be written is not sent to a payment terminal', () => {
  const terminal = withFullJournal();
  terminal.reader.takeCalls();
  terminal.reader.emit({ type: 'device.ready' });
  expect(terminal.reader.takeCalls()).toEqual(['end']);
  expect(terminal.network.last('action.abandoned')).toMatchObject({
    code: 'unexpected_error',
    reason: 'the journal cannot be written, so the request is not sent',
  });
});

test('journal: a reader is told when it cannot say that a reversal is sent', () => {
  const terminal = withFullJournal();
  terminal.reader.emit(DEVICE_APPROVED);
  terminal.reader.takeCalls();
  terminal.end('Failed');
  expect(terminal.reader.takeCalls()).toContain('reverse 0042 of this action, which is not saved');
});
