import { expect, test } from 'vitest';
import { AuthoriseAction, RequestReport } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  NEXT_ACTION_ID,
  READ_CONTACTLESS,
  type AgentFixture,
} from './agent-fixture.ts';

/** Moves time on, and returns the reports of the action that were sent meanwhile. */
async function reportsIn(terminal: AgentFixture, seconds: number): Promise<string[]> {
  await terminal.clock.advance(seconds * 1_000);
  return terminal.network.takeReports();
}

async function authorising(): Promise<AgentFixture> {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  await terminal.settle();
  expect(terminal.state).toBe('authorising');
  expect(terminal.network.takeReports()).toContain(AuthoriseAction.name);
  return terminal;
}

test('authorisation: an unanswered request is repeated at growing intervals until it times out', async () => {
  const terminal = await authorising();
  expect(await reportsIn(terminal, 1.9)).toEqual([]);
  expect(await reportsIn(terminal, 0.2)).toEqual(['action.authorise']);
  expect(await reportsIn(terminal, 3.8)).toEqual([]);
  expect(await reportsIn(terminal, 0.2)).toEqual(['action.authorise']);
  expect(await reportsIn(terminal, 23)).toEqual(['action.authorise']);
  expect(terminal.state).toBe('authorising');
  await terminal.clock.advance(1_000);
  expect(terminal.state).toBe('reversing');
  expect(await reportsIn(terminal, 10)).toEqual(['action.abandoned']);
});

test('authorisation: an answered request is not repeated', async () => {
  const terminal = await authorising();
  expect(await reportsIn(terminal, 3)).toEqual(['action.authorise']);
  terminal.approve();
  await terminal.settle();
  expect(await reportsIn(terminal, 12)).not.toContain('action.authorise');
});

test('authorisation: repeated after a reconnection', async () => {
  const terminal = await authorising();
  terminal.agent.networkCut();
  expect(await reportsIn(terminal, 10)).toEqual([]);
  terminal.agent.networkRestored();
  await terminal.settle();
  expect(terminal.network.takeReports()).toContain('action.authorise');
  expect(await reportsIn(terminal, 16)).toContain('action.authorise');
});

test('authorisation: repeated after a power cut', async () => {
  const terminal = await authorising();
  terminal.powerCycle();
  await terminal.settle();
  terminal.network.takeReports();
  expect(await reportsIn(terminal, 2.1)).toEqual(['action.authorise']);
});

test('report request: the terminal inquires and repeats the report of its state', async () => {
  const terminal = await authorising();
  terminal.network.command(RequestReport, { actionId: ACTION_ID });
  await terminal.settle();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', 'action.accepted', 'action.authorise']);
  terminal.approve();
  await terminal.settle();
  terminal.network.takeReports();
  terminal.network.command(RequestReport, { actionId: ACTION_ID });
  await terminal.settle();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', 'receipt.ready', 'action.completed']);
});

test('report request: inquires without an action for an unknown one, also for one that has ended here', async () => {
  const terminal = startAgentFixture();
  terminal.network.takeReports();
  terminal.network.command(RequestReport, { actionId: NEXT_ACTION_ID });
  expect(terminal.network.takeReports()).toEqual(['action.inquired']);
  terminal.start();
  terminal.end('Cancelled');
  terminal.network.takeReports();
  // A server that was restored from a backup does not know the end of the action.
  terminal.network.command(RequestReport, { actionId: ACTION_ID });
  expect(terminal.network.takeReports()).toEqual(['action.inquired']);
});
