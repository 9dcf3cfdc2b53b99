import { expect, test } from 'vitest';
import { AuthoriseAction, RequestReport } from '../../protocol/messages/action.messages.ts';
import { ACTION_ID, bench, NEXT_ACTION_ID, READ_CONTACTLESS, type AgentBench } from './agent-bench.ts';

/** Moves time on, and returns the reports of the action that were sent meanwhile. */
async function reportsIn(terminal: AgentBench, seconds: number): Promise<string[]> {
  await terminal.clock.advance(seconds * 1_000);
  return terminal.network.takeReports();
}

async function authorising(): Promise<AgentBench> {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CONTACTLESS);
  await terminal.settle();
  expect(terminal.state).toBe('authorising');
  expect(terminal.network.takeReports()).toContain(AuthoriseAction.name);
  return terminal;
}

test('an authorisation that is not answered is asked for again, with growing pauses, until it times out', async () => {
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

test('an authorisation that is answered is not asked for again', async () => {
  const terminal = await authorising();
  expect(await reportsIn(terminal, 3)).toEqual(['action.authorise']);
  terminal.approve();
  await terminal.settle();
  expect(await reportsIn(terminal, 12)).not.toContain('action.authorise');
});

test('a terminal without a connection asks again once it is back, and goes on asking', async () => {
  const terminal = await authorising();
  terminal.agent.networkCut();
  expect(await reportsIn(terminal, 10)).toEqual([]);
  terminal.agent.networkRestored();
  await terminal.settle();
  expect(terminal.network.takeReports()).toContain('action.authorise');
  expect(await reportsIn(terminal, 16)).toContain('action.authorise');
});

test('a terminal that lost its power while it waited goes on asking', async () => {
  const terminal = await authorising();
  terminal.powerCycle();
  await terminal.settle();
  terminal.network.takeReports();
  expect(await reportsIn(terminal, 2.1)).toEqual(['action.authorise']);
});

test('asked by the server for its report, a terminal inquires and says again what its state owes', async () => {
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

test('asked about an action that it lost, a terminal inquires about none; about one that is over, it is silent', async () => {
  const terminal = bench();
  terminal.network.takeReports();
  terminal.network.command(RequestReport, { actionId: NEXT_ACTION_ID });
  expect(terminal.network.takeReports()).toEqual(['action.inquired']);
  terminal.start();
  terminal.end('Cancelled');
  terminal.network.takeReports();
  terminal.network.command(RequestReport, { actionId: ACTION_ID });
  expect(terminal.network.takeReports()).toEqual([]);
});
