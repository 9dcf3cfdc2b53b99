import { delay, type Clock } from '../../../protocol/clock.ts';
import type { Random } from '../../../protocol/ids.ts';
import { CURRENCY_NUMBERS } from '../../../protocol/money.ts';
import type { EntryMode } from '../../../protocol/messages/card-data.schema.ts';
import type { Card } from '../../cards/card-profile.ts';
import { CONTACTLESS_LIMIT_MINOR } from '../../pin-pad.ts';
import { PROGRESS, RESULT } from './apdu.ts';
import type { Bank } from './bank.ts';
import type { CardholderSide } from './cardholder-side.ts';
import { record, type TerminalMemory, type Transaction, type TransactionKind } from './terminal-memory.ts';
import { intermediateStatus } from './outgoing-messages.ts';
import type { EcrLink } from './ecr-link.ts';

const CARD_LIMIT_MS = 90_000;
const PIN_LIMIT_MS = 60_000;
const READ_MS = 300;
const HOST_MS = 700;

/** ISO 8583: allowable PIN tries exceeded. */
const PIN_TRIES_EXCEEDED = 75;

interface SaleParts {
  clock: Clock;
  random: Random;
  memory: TerminalMemory;
  front: CardholderSide;
  bank: Bank;
  ecr: EcrLink;
  /** Whether the ECR registered for intermediate statuses (04 FF). */
  sendsIntermediateStatus: boolean;
  /** Called before the authorisation request. An abort is refused from then on. */
  committed(): void;
}

/** Dependencies of waiting for a card, up to `limitMs`. */
type CardWait = Pick<SaleParts, 'ecr' | 'front' | 'sendsIntermediateStatus'> & { limitMs?: number };

export interface SaleRequest {
  kind: Exclude<TransactionKind, 'reversal'>;
  amountMinor: number;
  /** BMP 49. */
  currency: string;
}

/** Runs a card transaction. Returns a result code when it ends before the authorisation request. */
export async function runSale(parts: SaleParts, request: SaleRequest): Promise<Transaction | number> {
  const { clock, ecr, memory } = parts;
  const card = await waitForCard(parts);
  if (typeof card === 'number') return card;
  await delay(clock, READ_MS);
  if (ecr.abortRequested) return RESULT.aborted;
  if (!card.readable) return RESULT.cardNotReadable;
  const entryMode = card.entryModes[0]!;
  const pin = requiresPin(card, entryMode, request) ? await enterPin(parts, card) : 'right';
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

/** Waits for a card. Returns a result code on a timeout or cancel. */
export async function waitForCard(parts: CardWait): Promise<Card | number> {
  const { ecr, front, limitMs = CARD_LIMIT_MS } = parts;
  await progress(parts, PROGRESS.insertCard);
  let card: Card | undefined;
  const shown = front.card().then((held) => (card = held));
  const waited = await ecr.waitFor(Promise.race([shown, front.cancelled()]), limitMs);
  return waited === 'happened' && card ? card : RESULT.aborted;
}

/** Asks for the PIN until it is right or no try is left. Returns a result code on a timeout or cancel. */
async function enterPin(parts: SaleParts, card: Card): Promise<'right' | 'noTriesLeft' | number> {
  const { ecr, front, memory } = parts;
  await progress(parts, PROGRESS.watchPinPad);
  for (let left = memory.pinTries.get(card.name) ?? card.pinTries; left > 0; left -= 1) {
    memory.pinTries.set(card.name, left);
    let typed: { digits: string } | 'cancelled' = 'cancelled';
    const typing = front.pin().then((pin) => (typed = pin));
    const waited = await ecr.waitFor(typing, PIN_LIMIT_MS);
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

/** Returns whether a PIN is needed, by the same rule as the virtual reader: contact always, contactless over the limit. */
function requiresPin(card: Card, entryMode: EntryMode, { kind, amountMinor }: SaleRequest): boolean {
  if (!card.hasPin || kind === 'refund' || entryMode === 'Swipe' || entryMode === 'Wallet') return false;
  return entryMode === 'Contact' || amountMinor > CONTACTLESS_LIMIT_MINOR;
}

export async function progress(
  { ecr, sendsIntermediateStatus }: Pick<SaleParts, 'ecr' | 'sendsIntermediateStatus'>,
  code: number,
): Promise<void> {
  if (sendsIntermediateStatus) await ecr.send(intermediateStatus(code));
}

/** Creates an authorisation code of six digits, as German banks use. */
function authorisationCode(random: Random): string {
  return [...random.bytes(6)].map((byte) => byte % 10).join('');
}

/** Marks a transaction as reversed and records the reversal. */
export function reversalOf(original: Transaction, memory: TerminalMemory, atMs: number): Transaction {
  original.reversed = true;
  const { amountMinor, currency, card, authorisationCode: code } = original;
  const made = { kind: 'reversal' as const, amountMinor, currency, card, authorisationCode: code };
  return record(memory, { ...made, resultCode: 0, atMs });
}

/** Returns whether the terminal accepts a currency, by its ISO 4217 number. */
export function isTaken(currency: string): boolean {
  return Object.values(CURRENCY_NUMBERS).includes(currency);
}
