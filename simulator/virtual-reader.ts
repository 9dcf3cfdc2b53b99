import type { CardRequest, Reader, ReaderEvent } from '../agent/readers/reader.ts';
import type { Clock } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import type { ActDelay, ActSchedule, ScheduledAct } from './act-schedule.ts';
import { cardNamed, unknownCardMessage } from './cards/card-registry.ts';
import type { EntryMode } from '../protocol/messages/card-data.schema.ts';
import type { Card } from './cards/card-profile.ts';
import { createKeypad, pinDemandOf, type Key } from './pin-pad.ts';
import { SUCCESS, failure, type SimulationResult } from './simulation-result.ts';
import type { ReaderInterface } from './profiles/device-profile.ts';
import type { ReaderPhase, TerminalReader } from './terminal-reader.ts';
import type { ReaderState } from './terminal-state.ts';

const READ_LATENCY_MS = 50;
const UNPLUGGED = 'the reader is unplugged';

export interface VirtualReaderOptions {
  clock: Clock;
  interfaces?: readonly ReaderInterface[];
  acts: ActSchedule;
  /** From card presented to card read at any pace, milliseconds; may be 0. */
  readLatencyMs?: number | undefined;
  /** The same at a real pace, unless the other is given; 50 by default. */
  usualLatencyMs?: number;
  /** By currency code, minor units. */
  contactlessLimitsMinor?: Readonly<Record<string, number>> | undefined;
  /** State of another reader, in which this one starts. `resume` continues its request. */
  state?: ReaderState | undefined;
}

/**
 * A simulated card reader with a keypad. Reports masked card data only; the card number stays in the card, the PIN in
 * the keypad.
 *
 * No event is reported from inside a call of the reader, so the caller is never called back before its call returns.
 */
export class VirtualReader implements Reader, TerminalReader {
  readonly name = 'virtual';
  readonly authoriser = 'server';
  readonly #options: VirtualReaderOptions;
  readonly #keypad = createKeypad();
  readonly #watchers: ((phase: ReaderPhase) => void)[] = [];
  #typedOrCleared = () => {};
  /** PIN tries left of the cards of this action; reset for the next action. */
  readonly #triesLeft = new Map<string, number>();
  #phase: ReaderPhase = 'idle';
  #work: { request: CardRequest; report: (event: ReaderEvent) => void } | undefined;
  /** The card in the slot or field; `used` once this action has started to read it. */
  #present: { card: Card; entryMode: EntryMode; used: boolean } | undefined;
  /** The card that was read in this action. */
  #read: Card | undefined;
  #reading: ScheduledAct | undefined;
  #isUnplugged = false;

  constructor(options: VirtualReaderOptions) {
    this.#options = options;
    if (options.state) this.#restore(options.state);
  }

  get phase(): ReaderPhase {
    return this.#phase;
  }

  get request(): CardRequest | undefined {
    return this.#work?.request;
  }

  /** Number of digits of the PIN that the cardholder is typing. */
  get typedDigits(): number {
    return this.#phase === 'awaitingPin' ? this.#keypad.digits.length : 0;
  }

  get card(): Card | undefined {
    return this.#read;
  }

  get cardAtReader() {
    return this.#present ? { name: this.#present.card.name, entryMode: this.#present.entryMode } : null;
  }

  watch(listener: (phase: ReaderPhase) => void): void {
    this.#watchers.push(listener);
  }

  get pinEntry() {
    return this;
  }

  onTyped(listener: () => void): void {
    this.#typedOrCleared = listener;
  }

  begin(request: CardRequest, report: (event: ReaderEvent) => void): void {
    if (this.#work) this.end();
    if (this.#isUnplugged) throw new Fault('reader', UNPLUGGED);
    this.#work = { request, report };
    this.#enter('busy');
  }

  resume(request: CardRequest, report: (event: ReaderEvent) => void): boolean {
    if (this.#phase === 'idle') return false;
    this.#work = { request, report };
    const readAtMs = this.#options.state?.readAtMs ?? null;
    if (this.#phase === 'reading' && readAtMs !== null)
      this.#finishAfter({ askedMs: readAtMs - this.#options.clock.nowMs() });
    return true;
  }

  /** Exports the state. Events that are not reported yet are not in it: they take a microtask. */
  exportState(): { reader: ReaderState } {
    const present = this.#present;
    const reader: ReaderState = {
      phase: this.#phase,
      present: present ? { ...present, card: present.card.name } : null,
      readCard: this.#read?.name ?? null,
      readAtMs: this.#reading?.atMs ?? null,
      typedDigits: this.#keypad.digits,
      pinTriesLeft: Object.fromEntries(this.#triesLeft),
      ...(this.#isUnplugged && { unplugged: true }),
    };
    return { reader };
  }

  switchOn(): this {
    return this;
  }

  /** A reader without power loses its request and the typed PIN. */
  switchOff(): void {
    this.end();
  }

  beforeStop(): void {}

  awaitCard(): void {
    if (!this.#work) return;
    this.#keypad.close();
    // A card that is already present is read at once.
    if (this.#present) return this.#startReading();
    this.#enter('awaitingCard');
  }

  awaitPin(): void {
    if (!this.#work) return;
    this.#keypad.open();
    this.#enter('awaitingPin');
  }

  verifyPin(): void {
    const card = this.#read;
    const typed = this.#keypad.take();
    if (!card) return;
    const left = this.#triesLeft.get(card.name) ?? card.pinTries;
    if (left > 0 && card.isPin(typed)) {
      this.#triesLeft.delete(card.name);
      return this.#report({ type: 'pin.accepted' });
    }
    const triesLeft = Math.max(left - 1, 0);
    this.#triesLeft.set(card.name, triesLeft);
    this.#report({ type: 'pin.rejected', triesLeft });
  }

  /** Ends the action and removes its card. A card presented since then stays for the next action. */
  end(): void {
    if (this.#present?.used) this.#present = undefined;
    this.#stopReading();
    this.#keypad.close();
    this.#read = undefined;
    this.#triesLeft.clear();
    this.#work = undefined;
    this.#enter('idle');
  }

  async close(): Promise<void> {
    this.end();
    this.#present = undefined;
  }

  presentCard(name: string, entryMode?: EntryMode): SimulationResult {
    const card = cardNamed(name);
    if (!card) return failure(unknownCardMessage(name));
    if (this.#isUnplugged) return failure(UNPLUGGED);
    const mode = entryMode ?? card.entryModes[0]!;
    const fits = this.fits(card, mode);
    if (!fits.ok) return fits;
    if (this.#present) return failure(`${this.#present.card.name} is at the reader already: remove it first`);
    this.#present = { card, entryMode: mode, used: false };
    if (this.#phase === 'awaitingCard') this.#startReading();
    return SUCCESS;
  }

  fits({ name, entryModes }: Card, mode: EntryMode = entryModes[0]!): SimulationResult {
    if (!entryModes.includes(mode))
      return failure(`${name} has no ${mode}; it has: ${entryModes.join(', ')}`);
    const interfaces = this.#options.interfaces ?? ['Contactless', 'Contact', 'Swipe'];
    if (interfaces.includes(mode === 'Wallet' ? 'Contactless' : mode)) return SUCCESS;
    return failure(`this terminal does not take ${mode}; it takes: ${interfaces.join(', ')}`);
  }

  /** Removes the card from the slot, or before it was read. */
  removeCard(): SimulationResult {
    if (!this.#present) return failure('there is no card at the reader');
    const { used } = this.#present;
    this.#present = undefined;
    if (!used) return SUCCESS;
    this.#stopReading();
    this.#keypad.close();
    this.#read = undefined;
    this.#report({ type: 'card.removed' });
    this.#enter('busy');
    return SUCCESS;
  }

  unplug(): SimulationResult {
    if (this.#isUnplugged) return SUCCESS;
    this.#isUnplugged = true;
    this.#report({ type: 'reader.failed', reason: UNPLUGGED });
    this.#present = undefined;
    this.#read = undefined;
    this.#stopReading();
    this.#keypad.close();
    if (this.#phase !== 'idle') this.#enter('busy');
    return SUCCESS;
  }

  plugIn(): SimulationResult {
    this.#isUnplugged = false;
    return SUCCESS;
  }

  pressKeys(keys: readonly Key[]): SimulationResult {
    if (!this.#work) return failure('no action is under way: the keys do nothing');
    if (!this.#keypad.isOpen && !keys.includes('cancel'))
      return failure('the terminal does not ask for a PIN');
    const outcome = this.#keypad.press(keys);
    if (outcome === 'typing') {
      this.#typedOrCleared();
      return SUCCESS;
    }
    if (outcome === 'cancelled') this.#keypad.close();
    this.#report({ type: outcome === 'entered' ? 'pin.entered' : 'cancel.pressed' });
    if (this.#phase === 'awaitingPin') this.#enter('busy');
    return SUCCESS;
  }

  #restore({ phase, present, readCard, typedDigits, pinTriesLeft, unplugged }: ReaderState): void {
    this.#phase = phase;
    this.#isUnplugged = unplugged ?? false;
    if (present) this.#present = { ...present, card: cardNamed(present.card)! };
    if (readCard !== null) this.#read = cardNamed(readCard);
    for (const [card, tries] of Object.entries(pinTriesLeft)) this.#triesLeft.set(card, tries);
    if (phase === 'awaitingPin') this.#keypad.open(typedDigits);
  }

  #startReading(): void {
    const present = this.#present!;
    present.used = true;
    this.#report({ type: 'card.presented', entryMode: present.entryMode });
    const { readLatencyMs: askedMs, usualLatencyMs: usualMs = READ_LATENCY_MS } = this.#options;
    this.#finishAfter({ askedMs, usualMs });
    this.#enter('reading');
  }

  #finishAfter(delay: ActDelay): void {
    this.#reading = this.#options.acts.after(delay, () => this.#finishReading());
  }

  #finishReading(): void {
    const { card, entryMode } = this.#present!;
    this.#reading = undefined;
    // Only a readable card in the slot stays.
    if (entryMode !== 'Contact' || !card.readable) this.#present = undefined;
    if (card.readable) {
      this.#read = card;
      const pin = pinDemandOf(this.#work!.request, card, entryMode, this.#options.contactlessLimitsMinor);
      this.#report({ type: 'card.read', card: card.masked(entryMode), pin });
    } else {
      this.#report({ type: 'card.unreadable', reason: 'the card does not answer' });
    }
    this.#enter('busy');
  }

  #stopReading(): void {
    this.#reading?.cancel();
    this.#reading = undefined;
  }

  #report(event: ReaderEvent): void {
    const work = this.#work;
    queueMicrotask(() => {
      if (work && this.#work === work) work.report(event);
    });
  }

  #enter(phase: ReaderPhase): void {
    if (this.#phase === phase && phase !== 'awaitingCard' && phase !== 'awaitingPin') return;
    this.#phase = phase;
    for (const watcher of this.#watchers) watcher(phase);
  }
}
