import { delay, type Clock } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { Random } from '../../../protocol/ids.ts';
import { transitionsOf } from '../../../protocol/machine-step.ts';
import type { EntryMode } from '../../../protocol/messages/card-data.schema.ts';
import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import type { Card } from '../../cards/card-profile.ts';
import { CONTACTLESS_LIMIT_MINOR } from '../../pin-pad.ts';
import type { Bank } from './bank.ts';
import type { CardholderSide } from './cardholder-side.ts';
import { bookReservation, extendReservation, reverseTransaction } from './corrections.ts';
import { printReceipt, record, recordStep, type TerminalMemory, type Transaction } from './journal.ts';
import { receiptLines, type Layout } from './receipts.ts';
import { standAloneMachine, type StandAloneEvent } from './terminal.machine.ts';
import type {
  Ending,
  Progress,
  SaleCommand,
  TerminalReport,
  Till,
  TillCommand,
} from './terminal-language.ts';

const CARD_LIMIT_MS = 90_000;
const PIN_LIMIT_MS = 60_000;
const READ_MS = 300;
const HOST_MS = 700;

/** ISO 8583: allowable PIN tries exceeded. */
const PIN_TRIES_EXCEEDED = 75;

interface StandAloneParts {
  clock: Clock;
  random: Random;
  memory: TerminalMemory;
  front: CardholderSide;
  bank: Bank;
  /** How receipts look at present. */
  layout(): Layout;
  /** Called once the bank has approved and the journal has it, before the till is told. */
  onCharged?(transaction: Transaction): void;
}

/** A payment terminal that authorises by itself, behind the language of its till. */
export interface StandAloneTerminal {
  /**
   * Runs work of the till, one at a time. Returns undefined, and does not run it, while other work runs.
   */
  occupy<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** Runs a command. @throws Fault `reader` when the till is gone before the bank was asked. */
  perform(command: TillCommand, till: Till): Promise<TerminalReport>;
  /** Waits for a card, and returns it without a transaction. */
  identifyCard(till: Till, limitMs: number): Promise<Card | Ending>;
}

const transitions = transitionsOf(standAloneMachine);

export function createStandAloneTerminal(parts: StandAloneParts): StandAloneTerminal {
  const { clock, memory } = parts;
  return {
    async occupy(work) {
      if (memory.busy) return undefined;
      memory.busy = true;
      try {
        return await work();
      } finally {
        memory.busy = false;
      }
    },
    async perform(command, till) {
      switch (command.type) {
        case 'pay':
        case 'refund':
        case 'reserve':
          return sell(parts, till, command);
        case 'reverse':
          return reverseTransaction(memory, command, clock.nowMs());
        case 'book':
          return bookReservation(memory, command, clock.nowMs());
        case 'extend':
          return extendReservation(memory, command, clock.nowMs());
        case 'lastResult':
        case 'print':
          return repeat(parts, till, command.type);
        case 'reconcile': {
          const { journal } = memory;
          if (command.closes) memory.journal = [];
          return { type: 'totals', journal };
        }
        case 'cancel':
        case 'status':
          return { type: 'status', busy: memory.busy, hasPaper: memory.hasPaper };
      }
    },
    async identifyCard(till, limitMs) {
      const { card, ending } = await run(parts, till, { type: 'card.requested' }, { limitMs });
      return ending ?? card!;
    },
  };
}

/** The last transaction, whose receipts are printed again where the till asks for that. */
function repeat(parts: StandAloneParts, till: Till, type: 'lastResult' | 'print'): TerminalReport {
  const { last } = parts.memory;
  if (!last) return { type: 'refused', reason: 'noTransaction' };
  if (type === 'lastResult') return { type: 'result', transaction: last };
  if (till.terminalPrints) printCopies(parts, last);
  return { type: 'printed', transaction: last };
}

function printCopies({ memory, layout }: StandAloneParts, transaction: Transaction): void {
  for (const copy of ['merchant', 'customer'] as const)
    printReceipt(memory, receiptLines(transaction, copy, layout()));
}

const KINDS = { pay: 'payment', refund: 'refund', reserve: 'reservation' } as const;

async function sell(parts: StandAloneParts, till: Till, command: SaleCommand): Promise<TerminalReport> {
  if (!(command.amountMinor > 0)) return { type: 'refused', reason: 'badAmount' };
  if (!isTaken(command.currency)) return { type: 'refused', reason: 'wrongCurrency' };
  till.setCancellable(true);
  const { transaction, ending } = await run(parts, till, { type: 'sale.requested' }, { command });
  return transaction ? { type: 'result', transaction } : { type: 'ended', reason: ending! };
}

/** Returns whether the terminal accepts a currency, by its ISO 4217 number. */
function isTaken(currency: string): boolean {
  return Object.values(CURRENCY_NUMBERS).includes(currency);
}

/** What one run of the machine is about, and what it has come to. */
interface RunState {
  command?: SaleCommand;
  limitMs?: number;
  card?: Card;
  transaction?: Transaction;
}

/** Runs the machine from an event until it is idle again. */
async function run(
  parts: StandAloneParts,
  till: Till,
  first: StandAloneEvent,
  state: RunState,
): Promise<RunState & { ending: Ending | null }> {
  const note = (event: string, to: string) =>
    recordStep(parts.memory, { atMs: parts.clock.nowMs(), event, state: to });
  let [snapshot] = transitions.initial(undefined);
  let event: StandAloneEvent | undefined = first;
  try {
    while (event) {
      const [next, effects] = transitions.next(snapshot, event);
      snapshot = next;
      note(event.type, String(next.value));
      event = undefined;
      for (const { type } of effects) {
        const name: string = type;
        if (!isEffect(name)) continue;
        event =
          (await EFFECTS[name]({ ...parts, till, state, isBlocked: next.context.pinIsBlocked })) ?? event;
      }
    }
  } catch (error) {
    note(`till.lost (${messageOf(error)})`, 'idle');
    throw error;
  } finally {
    parts.front.rest();
  }
  return { ...state, ending: snapshot.context.ending };
}

interface EffectParts extends StandAloneParts {
  till: Till;
  state: RunState;
  isBlocked: boolean;
}

type EffectRun = (parts: EffectParts) => Promise<StandAloneEvent | undefined>;

const tell =
  (step: Progress): EffectRun =>
  async ({ till }) => {
    await till.tell(step);
    return undefined;
  };

const EFFECTS = {
  tellInsertCard: tell('insertCard'),
  tellWatchPinPad: tell('watchPinPad'),
  tellIncorrectPin: tell('incorrectPin'),
  tellWaitingForBank: tell('waitingForBank'),
  awaitCard,
  readCard,
  askForPin,
  refuseCancel: async ({ till }) => {
    till.setCancellable(false);
    return undefined;
  },
  askBank,
  printReceipts: async (parts) => {
    const { memory, till, state } = parts;
    if (till.terminalPrints) printCopies(parts, state.transaction!);
    return { type: till.terminalPrints && !memory.hasPaper ? 'paper.missing' : 'receipts.printed' };
  },
} satisfies Record<string, EffectRun>;

function isEffect(name: string): name is keyof typeof EFFECTS {
  return Object.hasOwn(EFFECTS, name);
}

async function awaitCard({ till, front, state }: EffectParts): Promise<StandAloneEvent> {
  let card: Card | undefined;
  const shown = front.card().then((held) => (card = held));
  const waited = await till.waitFor(Promise.race([shown, front.cancelled()]), state.limitMs ?? CARD_LIMIT_MS);
  if (waited !== 'happened') return { type: stopOf(waited) };
  if (!card) return { type: 'cancel.pressed' };
  state.card = card;
  return { type: 'card.presented' };
}

const stopOf = (waited: 'cancelRequested' | 'timeout') =>
  waited === 'timeout' ? ('deadline.passed' as const) : ('till.cancelled' as const);

async function readCard({ clock, till, state }: EffectParts): Promise<StandAloneEvent> {
  await delay(clock, READ_MS);
  if (till.cancelRequested) return { type: 'till.cancelled' };
  const card = state.card!;
  if (!card.readable) return { type: 'card.unreadable' };
  return { type: 'card.read', asksForPin: requiresPin(card, card.entryModes[0]!, state.command!) };
}

/** Returns whether a PIN is needed, by the same rule as the virtual reader: contact always, contactless over the limit. */
function requiresPin(card: Card, entryMode: EntryMode, { type, amountMinor }: SaleCommand): boolean {
  if (!card.hasPin || type === 'refund' || entryMode === 'Swipe' || entryMode === 'Wallet') return false;
  return entryMode === 'Contact' || amountMinor > CONTACTLESS_LIMIT_MINOR;
}

/** One try of the PIN. */
async function askForPin({ front, memory, till, state }: EffectParts): Promise<StandAloneEvent> {
  const card = state.card!;
  const left = memory.pinTries.get(card.name) ?? card.pinTries;
  if (left <= 0) return { type: 'pin.blocked' };
  memory.pinTries.set(card.name, left);
  let typed: { digits: string } | 'cancelled' | undefined;
  const typing = front.pin().then((pin) => (typed = pin));
  const waited = await till.waitFor(typing, PIN_LIMIT_MS);
  if (waited !== 'happened') return { type: stopOf(waited) };
  const pin: { digits: string } | 'cancelled' | undefined = typed;
  if (pin === undefined || pin === 'cancelled') return { type: 'cancel.pressed' };
  if (card.isPin(pin.digits)) {
    memory.pinTries.delete(card.name);
    return { type: 'pin.right' };
  }
  memory.pinTries.set(card.name, left - 1);
  return { type: 'pin.wrong', triesLeft: left - 1 };
}

async function askBank(parts: EffectParts): Promise<StandAloneEvent> {
  const { clock, bank, memory, state, isBlocked } = parts;
  const { type, currency } = state.command!;
  const card = state.card!;
  await delay(clock, HOST_MS);
  const amountMinor = approvableMinor(memory, state.command!);
  const resultCode = isBlocked ? PIN_TRIES_EXCEEDED : bank.decide(amountMinor, card, clock.nowMs());
  state.transaction = record(memory, {
    kind: KINDS[type],
    amountMinor,
    currency,
    card: card.masked(card.entryModes[0]!),
    authorisationCode: resultCode === 0 ? authorisationCode(parts.random) : '',
    resultCode,
    atMs: clock.nowMs(),
  });
  if (resultCode === 0) parts.onCharged?.(state.transaction);
  return { type: 'bank.answered' };
}

/** The amount that the bank is asked for: less than the till's where it may be, and a person has set that. */
function approvableMinor(memory: TerminalMemory, { amountMinor, mayBePartial }: SaleCommand): number {
  const { approvesOnlyMinor = amountMinor } = memory;
  if (!mayBePartial) return amountMinor;
  memory.approvesOnlyMinor = undefined;
  return Math.min(amountMinor, approvesOnlyMinor);
}

/** Creates an authorisation code of six digits. */
function authorisationCode(random: Random): string {
  return [...random.bytes(6)].map((byte) => byte % 10).join('');
}
