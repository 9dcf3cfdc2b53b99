import { expect, test } from 'vitest';
import { CancelAction, DecideAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  READ_CHIP,
  READ_CONTACTLESS,
  START,
  type AgentFixture,
} from './agent-fixture.ts';

interface Cut {
  state: string;
  start?: Parameters<AgentFixture['start']>[0];
  /** Brings the terminal from awaiting a card to the state. */
  prepare(terminal: AgentFixture): void | Promise<void>;
  /** What the terminal says after it came back, the inquiry first. */
  says: string[];
  /** What it asks of the reader and puts on paper after it came back. */
  calls?: string[];
  prints?: string[];
  ends: string;
}

const tap = ({ reader }: AgentFixture) => reader.emit(...READ_CONTACTLESS);
const tapAndApprove = (terminal: AgentFixture) => {
  tap(terminal);
  terminal.approve();
};
const POINT_OF_SALE = { receiptPrintingSource: 'PointOfSale' } as const;

// After a power cut the reader has forgotten its card, so it is asked for again; what the server was told is
// told again, since it may not have come through; and a copy that may be half printed is printed again.
const CUTS: Cut[] = [
  {
    state: 'awaitingCard',
    prepare: () => {},
    says: ['action.accepted'],
    calls: ['begin', 'awaitCard'],
    ends: 'awaitingCard',
  },
  {
    state: 'reading',
    prepare: ({ reader }) => reader.emit(READ_CHIP[0]!),
    says: ['action.accepted'],
    calls: ['begin', 'awaitCard'],
    ends: 'awaitingCard',
  },
  {
    state: 'awaitingPin',
    prepare: ({ reader }) => reader.emit(...READ_CHIP),
    says: ['action.accepted'],
    calls: ['begin', 'awaitCard'],
    ends: 'awaitingCard',
  },
  {
    state: 'verifyingPin',
    prepare: ({ reader }) => reader.emit(...READ_CHIP, { type: 'pin.entered' }),
    says: ['action.accepted'],
    calls: ['begin', 'awaitCard'],
    ends: 'awaitingCard',
  },
  { state: 'authorising', prepare: tap, says: ['action.accepted', 'action.authorise'], ends: 'authorising' },
  {
    state: 'approved.printing.merchantCopy',
    prepare: (terminal) => {
      terminal.printer.outcome = 'jam';
      tapAndApprove(terminal);
    },
    says: ['receipt.ready', 'action.completed'],
    prints: ['merchantCopy', 'customerCopy'],
    ends: 'approved.completing',
  },
  {
    state: 'approved.printing.customerCopy',
    prepare: async (terminal) => {
      terminal.printer.outcome = 'jam';
      tapAndApprove(terminal);
      await terminal.clock.advance(20_000);
    },
    says: ['receipt.ready', 'action.completed'],
    prints: ['customerCopy'],
    ends: 'approved.completing',
  },
  {
    state: 'approved.completing',
    prepare: async (terminal) => {
      tapAndApprove(terminal);
      await terminal.settle();
      terminal.printer.copies.length = 0;
    },
    says: ['receipt.ready', 'action.completed'],
    ends: 'approved.completing',
  },
  {
    state: 'approved.awaitingMerchantReceipt',
    start: POINT_OF_SALE,
    prepare: tapAndApprove,
    says: ['receipt.ready'],
    ends: 'approved.awaitingMerchantReceipt',
  },
  {
    state: 'approved.awaitingCustomerReceipt',
    start: POINT_OF_SALE,
    prepare: (terminal) => {
      tapAndApprove(terminal);
      terminal.confirm('merchantCopy');
    },
    says: ['receipt.ready'],
    ends: 'approved.awaitingCustomerReceipt',
  },
  {
    state: 'approved.awaitingEnd',
    start: POINT_OF_SALE,
    prepare: (terminal) => {
      tapAndApprove(terminal);
      terminal.confirm('merchantCopy');
      terminal.confirm('customerCopy');
    },
    says: ['receipt.ready'],
    ends: 'approved.awaitingEnd',
  },
  {
    state: 'abandoning',
    prepare: ({ reader }) => reader.emit({ type: 'cancel.pressed' }),
    says: ['action.abandoned'],
    ends: 'abandoning',
  },
  {
    state: 'reversing',
    prepare: (terminal) => {
      tap(terminal);
      terminal.reader.emit({ type: 'reader.failed', reason: 'unplugged' });
    },
    says: ['action.abandoned'],
    ends: 'reversing',
  },
  {
    state: 'declined',
    prepare: (terminal) => {
      tap(terminal);
      terminal.network.command(DecideAction, {
        actionId: ACTION_ID,
        outcome: 'declined',
        code: 'insufficient_funds',
      });
    },
    says: [],
    ends: 'declined',
  },
  {
    state: 'cancelling',
    prepare: ({ network }) => network.command(CancelAction, { actionId: ACTION_ID }),
    says: [],
    ends: 'cancelling',
  },
];

async function cutAt({ state, start, prepare }: Cut): Promise<AgentFixture> {
  const terminal = startAgentFixture();
  terminal.start(start);
  await prepare(terminal);
  expect(terminal.state).toBe(state);
  terminal.network.takeReports();
  terminal.agent.powerCut();
  terminal.printer.outcome = 'printed';
  return terminal;
}

test.each(CUTS)('power cut while $state: inquires first, then continues', async (cut) => {
  const terminal = await cutAt(cut);
  terminal.powerOn();
  await terminal.settle();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', ...cut.says]);
  expect(terminal.reader.takeCalls()).toEqual(cut.calls ?? []);
  expect(terminal.printer.copies.map(({ copy }) => copy)).toEqual(cut.prints ?? []);
  expect(terminal.state).toBe(cut.ends);
});

test.each(CUTS)('power cut while $state: without a network waits for the inquiry', async (cut) => {
  const terminal = await cutAt(cut);
  terminal.network.cut();
  terminal.powerOn();
  await terminal.clock.advance(600_000);
  expect(terminal.state).toBe(cut.state);
  expect(terminal.reader.takeCalls()).toEqual([]);
  expect(terminal.network.takeReports()).toEqual([]);
  terminal.network.restore();
  expect(terminal.network.takeReports()[0]).toBe('action.inquired');
});

test.each(CUTS)('power cut while $state: an action that the server ended meanwhile is over', async (cut) => {
  const terminal = await cutAt(cut);
  terminal.network.loseCommand(ACTION_ID);
  terminal.powerOn();
  terminal.end('Failed', 'unexpected_error');
  await terminal.settle();
  expect(terminal.agent.status).toEqual({});
  expect(terminal.journal.load()).toBeUndefined();
  expect(terminal.clock.due).toEqual([]);
});

test('power cut while authorising: processes the repeated decision, within half a minute', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  tap(terminal);
  terminal.agent.powerCut();
  await terminal.clock.advance(600_000);
  terminal.powerOn();
  await terminal.clock.advance(29_999);
  expect(terminal.state).toBe('authorising');
  terminal.approve();
  await terminal.settle();
  expect(terminal.state).toBe('approved.completing');
});

test('power cut: the time to present a card continues', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.agent.powerCut();
  await terminal.clock.advance(START.presentCardMs - 1_000);
  terminal.powerOn();
  await terminal.clock.advance(1_000);
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'timeout' });
});

test('power cut: sequence numbers continue', () => {
  const terminal = startAgentFixture();
  terminal.start();
  tap(terminal);
  terminal.powerCycle();
  expect(terminal.network.last('action.inquired')).toEqual({ actionId: ACTION_ID, seq: 3 });
});

test.each(['action.started', 'card.read', 'issuer.approved', 'copy.printed'])(
  'power cut after the journal entry of %s: the next agent performs the pending effects',
  async (event) => {
    let armed = true;
    const terminal = startAgentFixture({
      onStep: (step) => {
        if (armed && step.event === event) {
          armed = false;
          terminal.agent.powerCut();
        }
      },
    });
    terminal.start();
    if (armed) tap(terminal);
    if (armed) terminal.approve();
    await terminal.settle();
    expect(armed).toBe(false);
    terminal.powerOn();
    if (terminal.state === 'awaitingCard') tap(terminal);
    if (terminal.state === 'authorising') terminal.approve();
    await terminal.settle();
    expect(terminal.state).toBe('approved.completing');
    expect(terminal.printer.copies.at(-1)?.copy).toBe('customerCopy');
    expect(terminal.network.takeReports().at(-1)).toBe('action.completed');
  },
);

test.each(['action.started', 'issuer.approved'])(
  'power cut before the journal entry of %s: performs no effects',
  async (event) => {
    const terminal = startAgentFixture({
      onStep: (step) => {
        if (step.event === event) terminal.agent.powerCut();
      },
    });
    terminal.start();
    tapAndApprove(terminal);
    await terminal.settle();
    expect(terminal.printer.copies).toEqual([]);
    expect(terminal.reader.takeCalls()).toEqual(
      event === 'action.started' ? [] : ['begin', 'awaitCard', 'end'],
    );
    expect(terminal.network.takeReports()).not.toContain(
      event === 'action.started' ? 'action.accepted' : 'receipt.ready',
    );
  },
);

test('power cut: sequence numbers of inquiries continue too', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.network.command(CancelAction, { actionId: ACTION_ID });
  terminal.powerCycle();
  expect(terminal.network.last('action.inquired')).toEqual({ actionId: ACTION_ID, seq: 2 });
  terminal.agent.networkCut();
  terminal.agent.networkRestored();
  terminal.powerCycle();
  expect(terminal.network.last('action.inquired')).toEqual({ actionId: ACTION_ID, seq: 4 });
});
