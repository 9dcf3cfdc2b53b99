import { expect, test } from 'vitest';
import { ACTION_ID, startAgentFixture, READ_CONTACTLESS, type AgentFixture } from './agent-fixture.ts';

const tap = ({ reader }: AgentFixture) => reader.emit(...READ_CONTACTLESS);

interface Loss {
  report: string;
  start?: Parameters<AgentFixture['start']>[0];
  /** What leads to the report; the cable breaks while it is sent. */
  prepare?(terminal: AgentFixture): void;
  /** What is said after the cable is mended. */
  repeats: string[];
}

const LOSSES: Loss[] = [
  { report: 'action.accepted', repeats: ['action.inquired', 'action.accepted'] },
  {
    report: 'action.authorise',
    prepare: tap,
    repeats: ['action.inquired', 'action.accepted', 'action.authorise'],
  },
  {
    report: 'receipt.ready',
    start: { receiptPrintingSource: 'PointOfSale' },
    prepare: (terminal) => {
      tap(terminal);
      terminal.approve();
    },
    repeats: ['action.inquired', 'receipt.ready'],
  },
  {
    report: 'action.completed',
    prepare: (terminal) => {
      tap(terminal);
      terminal.approve();
    },
    repeats: ['action.inquired', 'receipt.ready', 'action.completed'],
  },
  {
    report: 'action.abandoned',
    prepare: ({ reader }) => reader.emit({ type: 'cancel.pressed' }),
    repeats: ['action.inquired', 'action.abandoned'],
  },
];

test.each(LOSSES)(
  'lost report: $report is sent again after the inquiry, with a new sequence number',
  async (loss) => {
    const terminal = startAgentFixture();
    terminal.network.disconnectAt.add(loss.report);
    terminal.start(loss.start);
    loss.prepare?.(terminal);
    await terminal.settle();
    expect(terminal.agent.online).toBe(false);
    expect(terminal.network.takeReports()).not.toContain(loss.report);
    terminal.network.restore();
    await terminal.settle();
    expect(terminal.network.last(loss.report)).toMatchObject({ actionId: ACTION_ID });
    expect(terminal.network.takeReports()).toEqual(loss.repeats);
  },
);

test('lost inquiry: sent again at the next connection', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.network.cut();
  terminal.network.disconnectAt.add('action.inquired');
  terminal.network.restore();
  await terminal.settle();
  expect(terminal.agent.online).toBe(false);
  terminal.network.takeReports();
  terminal.network.restore();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', 'action.accepted']);
});

test('offline: reports are not queued; after the inquiry the terminal reports its current state', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.network.takeReports();
  terminal.network.cut();
  tap(terminal);
  await terminal.clock.advance(30_000);
  expect(terminal.state).toBe('reversing');
  terminal.network.restore();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', 'action.abandoned']);
  expect(terminal.network.last('action.authorise')).toBeUndefined();
});

test('lost action.ended: repeated in the reply to the next inquiry, and ends the action', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.network.cut();
  terminal.network.loseCommand(ACTION_ID);
  terminal.network.restore();
  terminal.end('Cancelled');
  expect(terminal.agent.status).toEqual({});
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Cancelled']);
});

test('offline: receipts are printed, and reported after reconnecting', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  tap(terminal);
  terminal.approve();
  terminal.network.cut();
  await terminal.settle();
  expect(terminal.printer.copies).toHaveLength(2);
  terminal.network.takeReports();
  terminal.network.restore();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', 'receipt.ready', 'action.completed']);
});

test('networkCut, networkRestored: disconnect and reconnect one terminal', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.agent.networkCut();
  expect(terminal.agent.online).toBe(false);
  terminal.network.takeReports();
  terminal.agent.networkRestored();
  expect(terminal.agent.online).toBe(true);
  expect(terminal.network.messageNames.slice(0, 3)).toEqual([
    'presence',
    'machine.described',
    'action.inquired',
  ]);
});

test('offline: a terminal that is offline for a week wakes only rarely', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  tap(terminal);
  terminal.network.cut();
  const steps = terminal.steps.length;
  await terminal.clock.advance(7 * 24 * 3_600_000);
  expect(terminal.state).toBe('reversing');
  expect(terminal.steps.length - steps).toBeLessThan(700);
});
