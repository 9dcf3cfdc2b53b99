import { delay, type Clock } from '../../../protocol/clock.ts';
import type { Random } from '../../../protocol/ids.ts';
import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import type { Card, EntryMode } from '../../cards/card-profile.ts';
import { CONTACTLESS_LIMIT_MINOR } from '../../virtual-reader.ts';
import type { Bank } from './bank.ts';
import type { CardholderSide } from './cardholder-side.ts';
import { PROGRESS, RESULT } from './codes.ts';
import { record, type Memory, type Transaction, type TransactionKind } from './memory.ts';
import { intermediateStatus } from './outgoing-messages.ts';
import type { Till } from './ecr-link.ts';

const CARD_LIMIT_MS = 90_000;
const PIN_LIMIT_MS = 60_000;
const READ_MS = 300;
const HOST_MS = 700;

/** ISO 8583: allowable PIN tries exceeded. */
const PIN_TRIES_EXCEEDED = 75;

interface SaleParts {
  clock: Clock;
  random: Random;
  memory: Memory;
  front: CardholderSide;
  bank: Bank;
  till: Till;
  /** Whether the cash register wants to know how it goes (04 FF). */
  tellsProgress: boolean;
  /** Called when the bank is about to be asked: from here on an abort comes too late. */
  committed(): void;
}

/** What waiting for a card takes; it gives up after `limitMs`. */
type CardWait = Pick<SaleParts, 'till' | 'front' | 'tellsProgress'> & { limitMs?: number };

export interface SaleRequest {
  kind: Exclude<TransactionKind, 'reversal'>;
  amountMinor: number;
  /** BMP 49. */
  currency: string;
}

/** A card transaction from the card to the bank's answer; a code when there was none to be asked for. */
export async function sell(parts: SaleParts, request: SaleRequest): Promise<Transaction | number> {
  const { clock, till, memory } = parts;
  const card = await takeCard(parts);
  if (typeof card === 'number') return card;
  await delay(clock, READ_MS);
  if (till.abortAsked) return RESULT.aborted;
  if (!card.readable) return RESULT.cardNotReadable;
  const entryMode = card.entryModes[0]!;
  const pin = asksPin(card, entryMode, request) ? await takePin(parts, card) : 'right';
  if (typeof pin === 'number') return pin;
  parts.committed();
  await progress(parts, PROGRESS.waitingForHost);
  await delay(clock, HOST_MS);
  const resultCode =
    pin === 'noTriesLeft' ? PIN_TRIES_EXCEEDED : parts.bank.decide(request.amountMinor, card, clock.nowMs());
  return record(memory, {
    ...request,
    card: card.masked(entryMode),
    authorisationCode: resultCode === 0 ? authorisationCode(parts.random) : '',
    resultCode,
    atMs: clock.nowMs(),
  });
}

/** The card that is held or inserted; a code when none came, or cancel was pressed. */
export async function takeCard(parts: CardWait): Promise<Card | number> {
  const { till, front, limitMs = CARD_LIMIT_MS } = parts;
  await progress(parts, PROGRESS.insertCard);
  let card: Card | undefined;
  const shown = front.card().then((held) => (card = held));
  const waited = await till.waitFor(Promise.race([shown, front.cancelled()]), limitMs);
  return waited === 'happened' && card ? card : RESULT.aborted;
}

/** The PIN is right, or wrong until no try is left; a code when nobody typed it. */
async function takePin(parts: SaleParts, card: Card): Promise<'right' | 'noTriesLeft' | number> {
  const { till, front, memory } = parts;
  await progress(parts, PROGRESS.watchPinPad);
  for (let left = memory.pinTries.get(card.name) ?? card.pinTries; left > 0; left -= 1) {
    memory.pinTries.set(card.name, left);
    let typed: { digits: string } | 'cancelled' = 'cancelled';
    const typing = front.pin().then((pin) => (typed = pin));
    const waited = await till.waitFor(typing, PIN_LIMIT_MS);
    const pin = typed as { digits: string } | 'cancelled';
    if (waited !== 'happened' || pin === 'cancelled') return RESULT.aborted;
    if (card.isPin(pin.digits)) {
      memory.pinTries.delete(card.name);
      return 'right';
    }
    memory.pinTries.set(card.name, left - 1);
    await progress(parts, PROGRESS.incorrectPin);
  }
  return 'noTriesLeft';
}

/** As the reader of a simulated terminal has it: a chip in the slot asks, a tapped one over the limit. */
function asksPin(card: Card, entryMode: EntryMode, { kind, amountMinor }: SaleRequest): boolean {
  if (!card.hasPin || kind === 'refund' || entryMode === 'Swipe' || entryMode === 'Wallet') return false;
  return entryMode === 'Contact' || amountMinor > CONTACTLESS_LIMIT_MINOR;
}

export async function progress(
  { till, tellsProgress }: Pick<SaleParts, 'till' | 'tellsProgress'>,
  code: number,
): Promise<void> {
  if (tellsProgress) await till.tell(intermediateStatus(code));
}

/** Six digits, as German banks give them. */
function authorisationCode(random: Random): string {
  return [...random.bytes(6)].map((byte) => byte % 10).join('');
}

/** The number under which a reversal and its card are kept. */
export function reversalOf(original: Transaction, memory: Memory, atMs: number): Transaction {
  original.reversed = true;
  const { amountMinor, currency, card, authorisationCode: code } = original;
  const made = { kind: 'reversal' as const, amountMinor, currency, card, authorisationCode: code };
  return record(memory, { ...made, resultCode: 0, atMs });
}

export function isTaken(currency: string): boolean {
  return Object.values(CURRENCY_NUMBERS).includes(currency);
}
