import { createAgent, type Agent, type AgentParts } from '../../agent/agent.ts';
import type { IssuerAnswer } from '../../agent/emv/completion.ts';
import { memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import type { ActionStep } from '../../agent/lifecycle/action-transition.ts';
import type { Printer, PrintOutcome } from '../../agent/lifecycle/receipt.ts';
import type {
  CardRequest,
  ReversalOptions,
  Reader,
  ReaderChip,
  ReaderEvent,
} from '../../agent/readers/reader.ts';
import { memoryReversalReports, type ReversalReportStore } from '../../agent/reversal-reports.ts';
import { silentLog } from '../../protocol/log.ts';
import { encode, type BodyOf } from '../../protocol/message.ts';
import {
  ConfirmReceipt,
  DecideAction,
  EndAction,
  StartAction,
} from '../../protocol/messages/action.messages.ts';
import { ReversalRecorded, ReversalReported } from '../../protocol/messages/reversal.messages.ts';
import type { EntryMode, MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import { openWorldLog } from '../../testing/run-log/world-log.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { FakeNetwork } from './fake-network.ts';

export const NOW_MS = Date.UTC(2026, 0, 5, 9, 30);
/** One log for all fixtures: it has each step for the running test. */
const worldLog = await openWorldLog(new VirtualClock(NOW_MS));

export const TERMINAL_ID = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';
export const ACTION_ID = 'tmlact_01J9Z6P1A2B3C4D5E6F7G8H9JK_01J9Z6P1A2B3C4D5E6F7G8H9JM';
export const NEXT_ACTION_ID = 'tmlact_01J9Z6Q1A2B3C4D5E6F7G8H9JK_01J9Z6Q1A2B3C4D5E6F7G8H9JM';

export const START = {
  actionId: ACTION_ID,
  type: 'Payment',
  paymentSessionId: 'ps_01J9Z6P1A2B3C4D5E6F7G8H9JN',
  amountMinor: 1742,
  currency: 'GBP',
  receiptPrintingSource: 'Terminal',
  presentCardMs: 120_000,
  merchantName: 'Corner Books',
} satisfies Omit<BodyOf<typeof StartAction>, 'seq' | 'expiresAtMs'>;

export function cardOf(entryMode: EntryMode): MaskedCard {
  return {
    scheme: 'Visa',
    bin: '401200',
    last4: '0085',
    expiryMonth: '12',
    expiryYear: '2031',
    entryMode,
    applicationLabel: 'VISA CREDIT',
    aid: 'A0000000031010',
    ...(entryMode === 'Wallet' && { wallet: 'ApplePay' as const }),
  };
}

const KSN = '123456789012345600000001';

/** The issuer data of a card in the slot. */
export const CHIP: ReaderChip = {
  request: {
    emv: '9F2608A1B2C3D4E5F60718',
    cardData: { scheme: 'AES', ksn: KSN, cipherText: '00112233445566778899AABBCCDDEEFF' },
  },
  awaitsAnswer: true,
};

/** A payment terminal that authorised at its own bank. */
export const DEVICE_APPROVED = {
  type: 'device.approved',
  card: cardOf('Contactless'),
  approval: { authorisationCode: '4711', reference: '0042' },
  receipt: { merchantCopy: 'Haendlerbeleg', customerCopy: 'Kundenbeleg' },
} satisfies ReaderEvent;

/** A reader that only emits what the test emits, and records its calls. */
class ScriptedReader implements Reader {
  readonly name = 'scripted';
  readonly authoriser = 'server';
  readonly calls: string[] = [];
  /** Calls that throw, as when the reader is unplugged. */
  readonly failAt = new Set<string>();
  request: CardRequest | undefined;
  answer: IssuerAnswer | undefined;
  onUnknownReported: (() => void) | undefined;
  /** Called by `awaitCard`. */
  onAwaitCard: (() => void) | undefined;
  #report: ((fact: ReaderEvent) => void) | undefined;

  begin(request: CardRequest, report: (fact: ReaderEvent) => void): void {
    this.#call('begin');
    this.request = request;
    this.#report = report;
  }
  sendToDevice(): void {
    this.#call('sendToDevice');
  }
  findOutcome(): void {
    this.#call('findOutcome');
  }
  unknownReported(): void {
    this.onUnknownReported?.();
  }
  awaitCard(): void {
    this.#call('awaitCard');
    this.onAwaitCard?.();
  }
  awaitPin(): void {
    this.#call('awaitPin');
  }
  verifyPin(): void {
    this.#call('verifyPin');
  }
  completeCard(answer: IssuerAnswer): void {
    this.#call('completeCard');
    this.answer = answer;
  }
  async reverse(
    request: CardRequest,
    { reference }: { reference: string },
    { mayBeSent, isSaved }: ReversalOptions,
  ): Promise<void> {
    const action = request.actionId === ACTION_ID ? 'this' : 'another';
    const certainty = `${mayBeSent ? ', which may be sent' : ''}${isSaved ? '' : ', which is not saved'}`;
    this.#call(`reverse ${reference} of ${action} action${certainty}`);
  }
  end({ paid = false } = {}): void {
    this.#call(paid ? 'end, paid' : 'end');
  }
  async close(): Promise<void> {}

  emit(...facts: ReaderEvent[]): void {
    for (const fact of facts) this.#report?.(fact);
  }

  /** Returns and clears the recorded calls. */
  takeCalls(): string[] {
    return this.calls.splice(0);
  }

  #call(name: string): void {
    this.calls.push(name);
    if (this.failAt.has(name)) throw new Error('the reader is unplugged');
  }
}

/** A printer that prints at once, unless `outcome` is set. */
export class ScriptedPrinter implements Printer {
  readonly copies: { copy: string; text: string }[] = [];
  outcome: PrintOutcome | 'jam' | 'throw' = 'printed';

  print(copy: 'merchantCopy' | 'customerCopy', text: string): Promise<PrintOutcome> {
    if (this.outcome === 'throw') throw new Error('the printer is on fire');
    if (this.outcome === 'jam') return new Promise(() => {});
    if (this.outcome === 'printed') this.copies.push({ copy, text });
    return Promise.resolve(this.outcome);
  }
}

export const READ_CONTACTLESS: ReaderEvent[] = [
  { type: 'card.presented', entryMode: 'Contactless' },
  { type: 'card.read', card: cardOf('Contactless'), pin: 'none' },
];
export const READ_CHIP: ReaderEvent[] = [
  { type: 'card.presented', entryMode: 'Contact' },
  { type: 'card.read', card: cardOf('Contact'), pin: 'pin' },
];

interface AgentFixtureOptions extends Partial<
  Pick<AgentParts, 'journal' | 'onStep' | 'log' | 'reversalReports'>
> {
  clock?: VirtualClock;
  network?: FakeNetwork;
}

/** The agent of one terminal with a fake network, reader and printer. */
export class AgentFixture {
  readonly clock: VirtualClock;
  readonly network: FakeNetwork;
  readonly journal: ActionJournal;
  readonly reversalReports: ReversalReportStore;
  readonly reader = new ScriptedReader();
  readonly printer = new ScriptedPrinter();
  readonly steps: ActionStep[] = [];
  readonly screens: string[][] = [];
  readonly offsets: number[] = [];
  readonly #options: AgentFixtureOptions;
  agent: Agent;

  constructor(options: AgentFixtureOptions = {}) {
    this.#options = options;
    this.clock = options.clock ?? new VirtualClock(NOW_MS);
    this.network = options.network ?? new FakeNetwork();
    this.journal = options.journal ?? memoryJournal();
    this.reversalReports = options.reversalReports ?? memoryReversalReports();
    this.agent = this.#makeAgent();
  }

  get state(): string | undefined {
    return this.agent.status.state;
  }

  /** Waits until promises and timers that are due have settled. */
  async settle(): Promise<void> {
    await this.clock.advance(0);
    await this.clock.advance(0);
  }

  start(start: Partial<BodyOf<typeof StartAction>> = {}): void {
    const expiresAtMs = this.clock.nowMs() + 10_000;
    this.network.command(StartAction, { ...START, expiresAtMs, ...start });
  }

  approve(): void {
    this.network.command(DecideAction, {
      actionId: ACTION_ID,
      outcome: 'approved',
      authorisationCode: '7H3K2P',
    });
  }

  confirm(copy: 'merchantCopy' | 'customerCopy', status: 'Succeeded' | 'Failed' = 'Succeeded'): void {
    this.network.command(ConfirmReceipt, { actionId: ACTION_ID, copy, status });
  }

  end(status: BodyOf<typeof EndAction>['status'], code?: string): void {
    this.network.command(EndAction, { actionId: ACTION_ID, status, ...(code && { code }) });
  }

  /** Records the reversals that the terminal has reported so far. */
  recordReversals(): void {
    this.heldRecords()();
  }

  /** Returns what answers the reports of reversals that were sent so far. */
  heldRecords(): () => void {
    const sent = this.network.sent.filter(({ name }) => name === ReversalReported.name);
    return () => {
      for (const { body } of sent) {
        const recorded = body as unknown as BodyOf<typeof ReversalRecorded>;
        const { topic, payload } = encode(ReversalRecorded, TERMINAL_ID, recorded);
        this.network.deliver(topic, payload);
      }
    };
  }

  /** Cuts and restores power: a new agent on the same journal, reader and printer. */
  powerCycle(): void {
    this.agent.powerCut();
    this.powerOn();
  }

  powerOn(): void {
    this.reader.takeCalls();
    this.agent = this.#makeAgent();
    this.agent.start();
  }

  #makeAgent(): Agent {
    return createAgent({
      terminalId: TERMINAL_ID,
      device: { deviceType: 'Test Terminal', firmware: '1.0' },
      credentials: { clientId: TERMINAL_ID, username: TERMINAL_ID, password: 'not-a-secret' },
      connect: this.network.connect,
      clock: this.clock,
      onClock: ({ offsetMs }) => void this.offsets.push(offsetMs),
      reader: this.reader,
      printer: this.printer,
      journal: this.journal,
      reversalReports: this.reversalReports,
      log: this.#options.log ?? silentLog,
      onScreen: (lines) => void this.screens.push(lines),
      onStep: (step) => {
        this.steps.push(step);
        worldLog?.step(TERMINAL_ID, step, this.clock.nowMs());
        this.#options.onStep?.(step);
      },
    });
  }
}

/** Starts an agent that is online and idle. */
export function startAgentFixture(options: AgentFixtureOptions = {}): AgentFixture {
  const fixture = new AgentFixture(options);
  fixture.agent.start();
  return fixture;
}
