import type { Clock } from '../../protocol/clock.ts';
import { throwAsCardError } from '../emv/card-connection.ts';
import type { IssuerAnswer } from '../emv/completion.ts';
import type { VerifiedHolder } from '../emv/contact-kernel.ts';
import type { EntryMode, MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import { panFrom, type DataStore } from '../emv/data-store.ts';
import { NOT_A_TEST_CARD, type CardPolicy } from './card-policy.ts';
import type { CardProtection, TransactionProtection } from './card-protection.ts';
import { CardLostError } from './card-slot.ts';
import { chipRequestFrom, maskedCardFrom } from './chip-request.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import type { PinPad, ReaderCvm, ReaderEvent } from './reader.ts';

/** The terminal ended the action during a transaction. No event follows. */
export class TransactionAborted extends Error {
  constructor() {
    super('the transaction was aborted');
    this.name = 'TransactionAborted';
  }
}

/** The action has shorter deadlines; these only bound the waits. */
const INPUT_LIMIT_MS = 120_000;
const PIN_LIMIT_MS = 300_000;

interface SessionParts {
  clock: Clock;
  pinPad: PinPad;
  protection: CardProtection;
  cards: CardPolicy;
  emit(event: ReaderEvent): void;
}

/** Inputs from the terminal that a transaction waits for, with their values. */
interface TerminalInputs {
  pin: undefined;
  verify: undefined;
  answer: IssuerAnswer;
}

/**
 * Connects the kernel with the terminal for one card: emits events for the kernel's requests, and passes the
 * terminal's calls to the kernel. Only here are a PIN and a card number in the same place.
 */
export interface KernelSession {
  readonly signal: AbortSignal;
  /** Whether a PIN was requested. A card that is removed after that is reported as removed, not as unreadable. */
  readonly pinRequested: boolean;
  /** Whether the issuer has responded, or will not. The card is completed then, even if the action has ended. */
  readonly finishing: boolean;
  /** Returns why a card may not be used, or undefined. @throws CardError when mandatory data is missing. */
  refusalReason(store: DataStore): string | undefined;
  /** Asks for a PIN and returns its digits. @throws TransactionAborted. */
  requestPin(store: DataStore): Promise<string>;
  pinRejected(triesLeft: number): void;
  /** Sends the cryptogram to the issuer and returns the response; undefined when the action ends without one. */
  goOnline(store: DataStore, holder: VerifiedHolder): Promise<IssuerAnswer | undefined>;
  submitCard(store: DataStore): void;
  /** Reports a tapped card with its cryptogram, and asks for an online PIN if needed. @throws TransactionAborted. */
  completeTap(store: DataStore, holder: VerifiedHolder['method'], isPhone: boolean): Promise<void>;
  receiveInput<W extends keyof TerminalInputs>(word: W, value: TerminalInputs[W]): void;
  /** Called when the card is removed between commands; ends PIN entry. */
  onCardRemoved(): void;
  stop(): void;
}

export function createKernelSession(parts: SessionParts): KernelSession {
  const { emit } = parts;
  const controller = new AbortController();
  const inputs = createInputQueue(parts.clock, controller.signal);
  let pinRequested = false;
  let finishing = false;

  const { requestOf, pinOf } = createEncryption(parts.protection);
  const removed = new AbortController();
  const typedPin = createPinEntry(parts, inputs, { ended: controller.signal, removed: removed.signal });

  return {
    signal: controller.signal,
    get pinRequested() {
      return pinRequested;
    },
    get finishing() {
      return finishing;
    },
    refusalReason(store) {
      const pan = throwAsCardError(() => panFrom((tag) => store.get(tag)));
      throwAsCardError(() => maskedOf(store, 'Contact'));
      return parts.cards(pan) ? undefined : NOT_A_TEST_CARD;
    },
    async requestPin(store) {
      if (!pinRequested) emit({ type: 'card.read', card: maskedOf(store, 'Contact'), pin: 'pin' });
      pinRequested = true;
      return typedPin();
    },
    pinRejected: (triesLeft) => emit({ type: 'pin.rejected', triesLeft }),
    async goOnline(store, { method, pinBlocked, onlinePin }) {
      const request = requestOf(store);
      if (onlinePin) request.pin = pinOf(store, onlinePin);
      const chip = { request, awaitsAnswer: true };
      if (!pinRequested)
        emit({ type: 'card.read', card: maskedOf(store, 'Contact'), pin: cvmOf(method), chip });
      else if (method === 'onlinePin') emit({ type: 'pin.accepted', method: 'OnlinePin', chip });
      else if (pinBlocked || method !== 'offlinePin') emit({ type: 'pin.rejected', triesLeft: 0, chip });
      else emit({ type: 'pin.accepted', method: 'OfflinePin', chip });
      try {
        return await inputs.next('answer');
      } catch {
        finishing = true;
        return undefined;
      }
    },
    submitCard(store) {
      const chip = { request: requestOf(store), awaitsAnswer: false };
      emit({ type: 'card.read', card: maskedOf(store, 'Contact'), pin: 'none', chip });
    },
    async completeTap(store, holder, isPhone) {
      const card = maskedOf(store, isPhone ? 'Wallet' : 'Contactless');
      const request = requestOf(store);
      const chip = { request, awaitsAnswer: false };
      const demand = cvmOf(holder);
      emit({ type: 'card.read', card, pin: demand, chip });
      if (demand !== 'pin') return;
      pinRequested = true;
      const pin = pinOf(store, await typedPin());
      emit({ type: 'pin.accepted', method: 'OnlinePin', chip: { ...chip, request: { ...request, pin } } });
    },
    receiveInput(word, value) {
      if (word === 'answer') finishing = true;
      inputs.put(word, value);
    },
    onCardRemoved: () => removed.abort(),
    stop: () => controller.abort(),
  };
}

/** Encrypts data for the issuer, with one set of keys for the whole transaction. */
function createEncryption(protection: CardProtection) {
  let keys: TransactionProtection | undefined;
  const lookupIn = (store: DataStore) => (tag: string) => store.get(tag);
  return {
    requestOf: (store: DataStore) => chipRequestFrom(lookupIn(store), (keys ??= protection.transaction())),
    pinOf: (store: DataStore, digits: string) =>
      (keys ??= protection.transaction()).pin(digits, panFrom(lookupIn(store))),
  };
}

/** Maps a CVM to the one that is reported. After a failed verification the issuer decides. */
function cvmOf(holder: VerifiedHolder['method']): ReaderCvm {
  if (holder === 'onlinePin') return 'pin';
  return holder === 'onDevice' || holder === 'signature' ? holder : 'none';
}

/**
 * Creates the function that enters a PIN when the terminal requests it, and returns it when it is to be verified.
 */
function createPinEntry(
  { clock, pinPad, emit }: SessionParts,
  inputs: InputQueue,
  { ended, removed }: { ended: AbortSignal; removed: AbortSignal },
) {
  return async (): Promise<string> => {
    await inputs.next('pin');
    const wait = pinPad.requestPin(AbortSignal.any([ended, removed]));
    const typed = await withTimeout(clock, PIN_LIMIT_MS, wait, 'nobody typed a PIN');
    if (typed === 'cancelled') emit({ type: 'cancel.pressed' });
    if (removed.aborted && !ended.aborted) throw new CardLostError('the card was taken out');
    if (typed === undefined || typed === 'cancelled') throw new TransactionAborted();
    emit({ type: 'pin.entered' });
    await inputs.next('verify');
    return typed.digits;
  };
}

function maskedOf(store: DataStore, entryMode: EntryMode): MaskedCard {
  return maskedCardFrom((tag) => store.get(tag), entryMode);
}

/** Inputs by name. An input may arrive before it is waited for. */
interface InputQueue {
  put<W extends keyof TerminalInputs>(word: W, value: TerminalInputs[W]): void;
  /** @throws TransactionAborted. */
  next<W extends keyof TerminalInputs>(word: W): Promise<TerminalInputs[W]>;
}

function createInputQueue(clock: Clock, signal: AbortSignal): InputQueue {
  const arrived = new Map<keyof TerminalInputs, unknown>();
  const waiting = new Map<keyof TerminalInputs, (value: unknown) => void>();
  return {
    put(word, value) {
      const resolve = waiting.get(word);
      if (resolve) resolve(value);
      else arrived.set(word, value);
    },
    async next<W extends keyof TerminalInputs>(word: W) {
      if (arrived.has(word)) {
        const value = arrived.get(word);
        arrived.delete(word);
        return value as TerminalInputs[W];
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
        return (await withTimeout(
          clock,
          INPUT_LIMIT_MS,
          wait,
          'the terminal did not continue',
        )) as TerminalInputs[W];
      } finally {
        waiting.delete(word);
        signal.removeEventListener('abort', stopped);
      }
    },
  };
}
