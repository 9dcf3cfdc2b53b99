import type { Clock } from '../../protocol/clock.ts';
import { CardError } from '../emv/card-error.ts';
import type { VerifiedHolder } from '../emv/contact-kernel.ts';
import type { DataStore } from '../emv/data-store.ts';
import type { MaskedCard } from '../../protocol/messages/action.messages.ts';
import { messageOf } from '../../protocol/failures.ts';
import { NOT_A_TEST_CARD, type CardPolicy } from './card-policy.ts';
import type { CardProtection, TransactionProtection } from './card-protection.ts';
import { CardLostError } from './card-slot.ts';
import { chipRequestFrom, maskedCardFrom } from './chip-request.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import type { PinPad } from './pin-pad.ts';
import type { ReaderCvm, ReaderEvent } from './reader.ts';
import type { IssuerAnswer } from '../emv/issuer-answer.ts';
import { panFrom } from '../emv/card-number.ts';

/** The transaction was given up while it waited for somebody: nothing more is to be said. */
export class TransactionAborted extends Error {
  constructor() {
    super('the transaction was given up');
    this.name = 'TransactionAborted';
  }
}

/** The action's machine has shorter deadlines; these only make sure that no wait is for ever. */
const WORD_LIMIT_MS = 120_000;
const PIN_LIMIT_MS = 300_000;

interface SessionParts {
  clock: Clock;
  pinPad: PinPad;
  protection: CardProtection;
  cards: CardPolicy;
  tell(fact: ReaderEvent): void;
}

/** Words from the terminal that a card's transaction waits for. */
interface Words {
  pin: undefined;
  verify: undefined;
  answer: IssuerAnswer;
}

/**
 * What one card says and hears during one action: turns the questions of a kernel into facts for the terminal,
 * and its calls into answers. The only place where a PIN and a card number meet.
 */
export interface KernelSession {
  readonly signal: AbortSignal;
  /** A PIN was asked for: a card taken out from now on was not torn away by mistake. */
  readonly pinAsked: boolean;
  /** The issuer has answered, or will not: the card is to be finished with, whatever becomes of the action. */
  readonly finishing: boolean;
  /** Why a card that was read may not be used. @throws CardError when it lacks what a card must have. */
  refusalReason(store: DataStore): string | undefined;
  /** The digits that the holder types. @throws TransactionAborted. */
  askPin(store: DataStore): Promise<string>;
  pinWrong(triesLeft: number): void;
  /** The card has made its cryptogram and stays for the answer; undefined when the action ends without one. */
  goOnline(store: DataStore, holder: VerifiedHolder): Promise<IssuerAnswer | undefined>;
  submitCard(store: DataStore): void;
  /** The card has made its cryptogram and is gone. @throws TransactionAborted. */
  completeTap(store: DataStore, holder: VerifiedHolder['method'], isPhone: boolean): Promise<void>;
  receiveInput<W extends keyof Words>(word: W, value: Words[W]): void;
  /** The card was taken out while nobody commanded it: a PIN is not typed any more. */
  onCardRemoved(): void;
  stop(): void;
}

export function createKernelSession(parts: SessionParts): KernelSession {
  const { tell } = parts;
  const controller = new AbortController();
  const words = createInputQueue(parts.clock, controller.signal);
  let pinAsked = false;
  let finishing = false;

  const { requestOf, pinOf } = createEncryption(parts.protection);
  const removed = new AbortController();
  const typedPin = createPinEntry(parts, words, { ended: controller.signal, removed: removed.signal });

  return {
    signal: controller.signal,
    get pinAsked() {
      return pinAsked;
    },
    get finishing() {
      return finishing;
    },
    refusalReason(store) {
      const pan = orCardError(() => panFrom((tag) => store.get(tag)));
      orCardError(() => maskedOf(store, 'Contact'));
      return parts.cards(pan) ? undefined : NOT_A_TEST_CARD;
    },
    async askPin(store) {
      if (!pinAsked) tell({ type: 'card.read', card: maskedOf(store, 'Contact'), pin: 'pin' });
      pinAsked = true;
      return typedPin();
    },
    pinWrong: (triesLeft) => tell({ type: 'pin.rejected', triesLeft }),
    async goOnline(store, { method, pinBlocked, onlinePin }) {
      const request = requestOf(store);
      if (onlinePin) request.pin = pinOf(store, onlinePin);
      const chip = { request, awaitsAnswer: true };
      if (!pinAsked) tell({ type: 'card.read', card: maskedOf(store, 'Contact'), pin: cvmOf(method), chip });
      else if (method === 'onlinePin') tell({ type: 'pin.accepted', method: 'OnlinePin', chip });
      else if (pinBlocked || method !== 'offlinePin') tell({ type: 'pin.rejected', triesLeft: 0, chip });
      else tell({ type: 'pin.accepted', method: 'OfflinePin', chip });
      try {
        return await words.next('answer');
      } catch {
        finishing = true;
        return undefined;
      }
    },
    submitCard(store) {
      const chip = { request: requestOf(store), awaitsAnswer: false };
      tell({ type: 'card.read', card: maskedOf(store, 'Contact'), pin: 'none', chip });
    },
    async completeTap(store, holder, isPhone) {
      const card = maskedOf(store, isPhone ? 'Wallet' : 'Contactless');
      const request = requestOf(store);
      const chip = { request, awaitsAnswer: false };
      const demand = cvmOf(holder);
      tell({ type: 'card.read', card, pin: demand, chip });
      if (demand !== 'pin') return;
      pinAsked = true;
      const pin = pinOf(store, await typedPin());
      tell({ type: 'pin.accepted', method: 'OnlinePin', chip: { ...chip, request: { ...request, pin } } });
    },
    receiveInput(word, value) {
      if (word === 'answer') finishing = true;
      words.say(word, value);
    },
    onCardRemoved: () => removed.abort(),
    stop: () => controller.abort(),
  };
}

/** What goes to the issuer alone: one set of keys for all that is encrypted in a transaction. */
function createEncryption(protection: CardProtection) {
  let keys: TransactionProtection | undefined;
  const lookupIn = (store: DataStore) => (tag: string) => store.get(tag);
  return {
    requestOf: (store: DataStore) => chipRequestFrom(lookupIn(store), (keys ??= protection.transaction())),
    pinOf: (store: DataStore, digits: string) =>
      (keys ??= protection.transaction()).pin(digits, panFrom(lookupIn(store))),
  };
}

/** What is still to be done for a holder, or was done by him. Whoever could not be verified the issuer judges. */
function cvmOf(holder: VerifiedHolder['method']): ReaderCvm {
  if (holder === 'onlinePin') return 'pin';
  return holder === 'onDevice' || holder === 'signature' ? holder : 'none';
}

/** Lets the holder type a PIN when the terminal says so, and gives it out when the terminal says that. */
function createPinEntry(
  { clock, pinPad, tell }: SessionParts,
  words: WordQueue,
  { ended, removed }: { ended: AbortSignal; removed: AbortSignal },
) {
  return async (): Promise<string> => {
    await words.next('pin');
    const wait = pinPad.askPin(AbortSignal.any([ended, removed]));
    const typed = await withTimeout(clock, PIN_LIMIT_MS, wait, 'nobody typed a PIN');
    if (typed === 'cancelled') tell({ type: 'cancel.pressed' });
    if (removed.aborted && !ended.aborted) throw new CardLostError('the card was taken out');
    if (typed === undefined || typed === 'cancelled') throw new TransactionAborted();
    tell({ type: 'pin.entered' });
    await words.next('verify');
    return typed.digits;
  };
}

function maskedOf(store: DataStore, entryMode: MaskedCard['entryMode']): MaskedCard {
  return maskedCardFrom((tag) => store.get(tag), entryMode);
}

/** What a card lacks is the card's fault, not the reader's. */
function orCardError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CardError('not_supported', messageOf(error));
  }
}

/** Words that are waited for, or were said before somebody waited. */
interface WordQueue {
  say<W extends keyof Words>(word: W, value: Words[W]): void;
  /** @throws TransactionAborted. */
  next<W extends keyof Words>(word: W): Promise<Words[W]>;
}

function createInputQueue(clock: Clock, signal: AbortSignal): WordQueue {
  const said = new Map<keyof Words, unknown>();
  const waiting = new Map<keyof Words, (value: unknown) => void>();
  return {
    say(word, value) {
      const resolve = waiting.get(word);
      if (resolve) resolve(value);
      else said.set(word, value);
    },
    async next<W extends keyof Words>(word: W) {
      if (said.has(word)) {
        const value = said.get(word);
        said.delete(word);
        return value as Words[W];
      }
      if (signal.aborted) throw new TransactionAborted();
      const stopped = () => reject(new TransactionAborted());
      let reject!: (reason: Error) => void;
      const wait = new Promise<unknown>((resolve, rejectWait) => {
        reject = rejectWait;
        waiting.set(word, resolve);
        signal.addEventListener('abort', stopped, { once: true });
      });
      try {
        return (await withTimeout(clock, WORD_LIMIT_MS, wait, 'the terminal said nothing more')) as Words[W];
      } finally {
        waiting.delete(word);
        signal.removeEventListener('abort', stopped);
      }
    },
  };
}
