import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DeviceReversal } from '../../agent/readers/reader.ts';
import { fileReversalReports, memoryReversalReports } from '../../agent/reversal-reports.ts';
import { ReversalReported } from '../../protocol/messages/reversal.messages.ts';
import { ACTION_ID, NEXT_ACTION_ID, NOW_MS, startAgentFixture, type AgentFixture } from './agent-fixture.ts';

const REVERSED: DeviceReversal = {
  actionId: ACTION_ID,
  reference: '0042/52500041',
  outcome: 'Reversed',
  amountMinor: 1742,
  currency: 'EUR',
};
const REFUSED: DeviceReversal = { ...REVERSED, outcome: 'NotReversed', reason: 'the terminal is busy' };

const reportsOf = ({ network }: AgentFixture) =>
  network.sent.filter(({ name }) => name === ReversalReported.name).map(({ body }) => body);

test('reports of reversals: are sent at once, and repeated until the server has recorded them', async () => {
  const terminal = startAgentFixture();
  terminal.agent.reportReversal(REVERSED);
  expect(reportsOf(terminal)).toEqual([{ ...REVERSED, atMs: NOW_MS }]);
  await terminal.clock.advance(15_000);
  expect(reportsOf(terminal)).toHaveLength(2);
  await terminal.clock.advance(30_000);
  expect(reportsOf(terminal)).toHaveLength(3);
  terminal.recordReversals();
  await terminal.clock.advance(3_600_000);
  expect(reportsOf(terminal)).toHaveLength(3);
  expect(terminal.reversalReports.load()).toEqual([]);
});

test('reports of reversals: wait while the terminal is offline, and for a restart', async () => {
  const terminal = startAgentFixture();
  terminal.network.cut();
  terminal.agent.reportReversal(REVERSED);
  terminal.powerCycle();
  expect(reportsOf(terminal)).toEqual([]);
  terminal.network.restore();
  expect(reportsOf(terminal)).toEqual([{ ...REVERSED, atMs: NOW_MS }]);
  terminal.recordReversals();
  terminal.powerCycle();
  expect(reportsOf(terminal)).toHaveLength(1);
});

test('reports of reversals: one from a reader that outlives the agent is sent by the next agent', async () => {
  const terminal = startAgentFixture();
  await terminal.agent.stop();
  terminal.agent.reportReversal(REVERSED);
  expect([reportsOf(terminal), terminal.clock.due]).toEqual([[], []]);
  terminal.powerOn();
  expect(reportsOf(terminal)).toEqual([{ ...REVERSED, atMs: NOW_MS }]);
});

test('reports of reversals: what is held is sent after a power cut alone, and not once it was dropped', () => {
  const terminal = startAgentFixture();
  const drop = terminal.agent.holdReversal(REFUSED);
  terminal.agent.holdReversal({ ...REFUSED, actionId: NEXT_ACTION_ID });
  drop();
  expect(reportsOf(terminal)).toEqual([]);
  const { agent } = terminal;
  terminal.powerCycle();
  expect(reportsOf(terminal)).toEqual([{ ...REFUSED, actionId: NEXT_ACTION_ID, atMs: NOW_MS }]);
  terminal.recordReversals();
  // An agent without power writes nothing.
  agent.reportReversal(REVERSED);
  agent.holdReversal(REVERSED);
  expect(terminal.reversalReports.load()).toEqual([]);
});

test('reports of reversals: an answer to an earlier report leaves a later one with another reason', async () => {
  const terminal = startAgentFixture();
  terminal.agent.reportReversal(REFUSED);
  const recordFirst = terminal.heldRecords();
  await terminal.clock.advance(1_000);
  terminal.agent.reportReversal({ ...REFUSED, reason: 'reversal not possible' });
  recordFirst();
  expect(terminal.reversalReports.load()).toMatchObject([{ reason: 'reversal not possible' }]);
  terminal.recordReversals();
  expect(terminal.reversalReports.load()).toEqual([]);
});

test('reports of reversals: the same outcome of a transaction is reported once, another one instead of it', () => {
  const terminal = startAgentFixture();
  terminal.agent.reportReversal(REFUSED);
  terminal.agent.reportReversal(REFUSED);
  terminal.recordReversals();
  terminal.agent.reportReversal(REFUSED);
  expect(reportsOf(terminal)).toHaveLength(1);
  terminal.network.cut();
  terminal.agent.reportReversal({ ...REFUSED, reason: 'reversal not possible' });
  terminal.agent.reportReversal(REVERSED);
  terminal.agent.reportReversal({ ...REVERSED, actionId: NEXT_ACTION_ID });
  expect(terminal.reversalReports.load()).toMatchObject([
    { actionId: ACTION_ID, outcome: 'Reversed' },
    { actionId: NEXT_ACTION_ID, outcome: 'Reversed' },
  ]);
});

test('reports of reversals: what the message does not allow is left out, and a reason is masked', () => {
  const terminal = startAgentFixture();
  const reason = `card 4012001037140085 ${'is odd '.repeat(100)}`;
  terminal.agent.reportReversal({ ...REFUSED, reference: 'Beleg\n42', reason });
  const [{ reason: shown, ...report }] = reportsOf(terminal) as [Record<string, unknown>];
  expect(shown).toMatch(/^card ·· is odd .*…$/);
  expect(report).not.toHaveProperty('reference');
});

test('reports of reversals: at most a hundred wait, the latest', () => {
  const terminal = startAgentFixture();
  terminal.network.cut();
  for (let number = 1; number <= 101; number += 1)
    terminal.agent.reportReversal({ ...REVERSED, reference: String(number) });
  const waiting = terminal.reversalReports.load();
  expect([waiting.length, waiting[0]?.reference, waiting.at(-1)?.reference]).toEqual([100, '2', '101']);
});

test('reports of reversals: a store that fails keeps no terminal from working', () => {
  const fails = () => {
    throw new Error('no space');
  };
  const terminal = startAgentFixture({ reversalReports: { load: fails, save: fails } });
  terminal.agent.reportReversal(REVERSED);
  expect(reportsOf(terminal)).toHaveLength(1);
});

test('reports of reversals: survive the process in a file with mode 600', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reversals-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'terminals', 'tml.reversals.json');
  const report = { ...REVERSED, atMs: NOW_MS };
  expect(fileReversalReports(path, { sync: true }).load()).toEqual([]);
  fileReversalReports(path, { sync: true }).save([report]);
  expect(fileReversalReports(path, { sync: true }).load()).toEqual([report]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, '[{}]');
  expect(() => fileReversalReports(path, { sync: true }).load()).toThrowError(
    expect.objectContaining({ code: 'journal' }),
  );
  expect(memoryReversalReports().load()).toEqual([]);
});
