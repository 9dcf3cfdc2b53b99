import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { Mechanism } from './instruction.ts';
import type { FaultPoint, PrinterState } from '../../../protocol/receipt-printer.ts';
import { ERRORS_BY_STATE, PendingFaults, type PrinterFault } from './printer-faults.ts';
import { LINE_DOTS, type Receipt, type ReceiptEnd } from './paper.ts';
import {
  conditionOf,
  firstMemory,
  USUAL_PRINTER,
  type PrinterMemory,
  type PrinterSettings,
} from './printer-memory.ts';
import type { Problem, Token } from './parser.ts';
import { PrintQueue, QUEUE_BYTES_MAX } from './print-queue.ts';
import { Sheet } from './sheet.ts';
import { isOnline, isSameCondition, type PrinterCondition, type PrinterError } from './status.ts';

export type PrinterEvent =
  | { what: 'receipt'; receipt: Receipt }
  | { what: 'problem'; problem: Problem }
  | { what: 'drawer'; drawer: 'open' | 'closed'; pin?: 2 | 5; onMs?: number }
  | { what: 'condition'; before: PrinterCondition; now: PrinterCondition }
  /** There is another roll in it, and its condition is as before. */
  | { what: 'loaded' }
  /** It was switched off and on. */
  | { what: 'restarted' }
  /** Its cable was pulled out. */
  | { what: 'unplugged' };

export interface PrinterParts {
  clock: Clock;
  settings?: Partial<PrinterSettings>;
  faults?: readonly PrinterFault[];
  /** What another one remembered: in that condition it starts. */
  memory?: PrinterMemory | undefined;
}

/** What a connection does for the instructions that came over it. */
type PrinterConnection = Pick<Mechanism, 'reply' | 'sendStatus' | 'reportChanges'>;

/** Older receipts are dropped, to bound memory. */
const RECEIPTS_KEPT = 20;

const NO_LINE =
  'state unplugged: nothing is connected to the printer now; a terminal is while it prints: set a fault such as unplugged after line 5';

/** A receipt printer: its paper, cover, cutter and drawer, and what waits to be printed. Connections come and go. */
export class EscposPrinter {
  readonly clock: Clock;
  readonly settings: PrinterSettings;
  /** The last receipts, newest last. */
  readonly receipts: Receipt[] = [];
  readonly #listeners = new Set<(event: PrinterEvent) => void>();
  readonly #connections = new Set<PrinterConnection>();
  readonly #faults: PendingFaults;
  readonly #memory: PrinterMemory;
  readonly #sheet: Sheet;
  readonly #queue = new PrintQueue();
  #isSelected = true;

  constructor({ clock, settings, faults = [], memory }: PrinterParts) {
    this.clock = clock;
    this.settings = { ...USUAL_PRINTER, ...settings };
    this.#memory = { ...(memory ?? firstMemory(this.settings)) };
    this.#faults = new PendingFaults(faults);
    this.#sheet = new Sheet({ dots: this.settings.dots, feed: (dots) => this.#usePaper(dots) });
  }

  get drawer(): 'open' | 'closed' {
    return this.#memory.drawer;
  }

  /** How many receipts it has printed. */
  get printed(): number {
    return this.#memory.printed;
  }

  /** What it remembers. */
  get memory(): PrinterMemory {
    return { ...this.#memory };
  }

  /** The faults that are still to come. */
  get pendingFaults(): readonly PrinterFault[] {
    return this.#faults.pending;
  }

  get condition(): PrinterCondition {
    return conditionOf(this.#memory, this.settings);
  }

  /** Lines of the usual spacing that are left of the roll. */
  get linesLeft(): number {
    return Math.ceil(this.#memory.dotsLeft / LINE_DOTS);
  }

  /** Whether something waits until the printer is online. */
  get isWaiting(): boolean {
    return !this.#queue.isEmpty;
  }

  /** Whether a line has begun that no line feed has printed. */
  get hasOpenLine(): boolean {
    return !this.#sheet.atLineStart;
  }

  /** What is on the paper that was not cut yet. */
  get paper(): Pick<Receipt, 'elements' | 'height' | 'width'> {
    const { elements, height, dots } = this.#sheet;
    return { elements, height, width: dots };
  }

  /** Calls a listener for what happens. Returns a function that removes it. */
  watch(listener: (event: PrinterEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Plugs a connection in. Returns what passes on its bytes, and what unplugs it. */
  connect(connection: PrinterConnection): { receive(tokens: readonly Token[]): void; disconnect(): void } {
    this.#connections.add(connection);
    const mechanism: Mechanism = { ...connection, ...this.#device };
    return {
      receive: (tokens) => {
        for (const token of tokens) this.#receive(token, mechanism);
        this.#print();
      },
      disconnect: () => {
        this.#connections.delete(connection);
        if (!this.isWaiting) this.endReceipt('disconnected');
      },
    };
  }

  /** Puts in a roll with so many lines, by itself a whole one; 0 takes the roll out. */
  loadPaper(lines: number = this.settings.rollLines): void {
    const before = this.condition;
    this.#change({ dotsLeft: lines * LINE_DOTS, reportsNearEnd: false });
    if (isSameCondition(before, this.condition)) this.#emit({ what: 'loaded' });
  }

  setCover(cover: PrinterCondition['cover']): void {
    this.#change({ cover });
  }

  setDrawer(
    drawer: 'open' | 'closed',
    pulse: { pin: 2 | 5; onMs: number } | Record<string, never> = {},
  ): void {
    if (this.#memory.drawer === drawer) return;
    this.#change({ drawer });
    this.#emit({ what: 'drawer', drawer, ...pulse });
  }

  setError(error: PrinterError): void {
    this.#change({ error });
  }

  /** Adds a fault, which counts from now on. */
  addFault(fault: PrinterFault): void {
    this.#faults.add(fault);
  }

  /**
   * Puts it into a state by its name, as a fault does.
   * @throws Fault `bad_setting` for a cable that is in no line
   */
  enter(state: PrinterState): void {
    if (state === 'unplugged' && this.#connections.size === 0) throw new Fault('bad_setting', NO_LINE);
    this.#enter(state);
  }

  #enter(state: PrinterState): void {
    if (state === 'paper-out') return this.loadPaper(0);
    if (state === 'near-end') return this.#change({ reportsNearEnd: true });
    if (state === 'cover-open') return this.setCover('open');
    if (state === 'unplugged') return this.#emit({ what: 'unplugged' });
    this.setError(ERRORS_BY_STATE[state]);
  }

  /** Repairs all that stops it: a new roll if it is out, the cover closed, no error. */
  mend(): void {
    const isOut = this.#memory.dotsLeft === 0;
    const roll = isOut && { dotsLeft: this.settings.rollLines * LINE_DOTS, reportsNearEnd: false };
    this.#change({ ...roll, cover: 'closed', error: 'none' });
  }

  /** Switches it off and on: what waits and the format are lost, what is on the paper stays. */
  restart(): void {
    this.#queue.clear();
    this.#sheet.reset();
    this.#isSelected = true;
    this.#emit({ what: 'restarted' });
    this.setError('none');
  }

  /** Ends the receipt under the cutter, if there is one. */
  endReceipt(end: ReceiptEnd): void {
    const { elements, height } = this.#sheet.takeOff();
    if (elements.length === 0) return;
    this.#memory.printed += 1;
    const { dots: width } = this.#sheet;
    const receipt = { number: this.printed, atMs: this.clock.nowMs(), end, width, height, elements };
    this.receipts.push(receipt);
    if (this.receipts.length > RECEIPTS_KEPT) this.receipts.shift();
    this.#emit({ what: 'receipt', receipt });
  }

  /** Tells of something wrong in what was sent. */
  report(problem: Problem): void {
    this.#emit({ what: 'problem', problem });
  }

  readonly #device: Omit<Mechanism, keyof PrinterConnection> = {
    pulseDrawer: (pin, onMs) => {
      this.setDrawer('open', { pin, onMs });
      this.#strike('drawer');
    },
    cut: (end) => {
      this.endReceipt(end);
      this.#strike('cut');
    },
    recover: (clear) => {
      if (!['cutter', 'mechanical'].includes(this.#memory.error)) return;
      if (clear) this.#queue.clear();
      this.setError('none');
    },
    clear: () => this.#queue.clear(),
    select: (selected) => void (this.#isSelected = selected),
  };

  #receive(token: Token, mechanism: Mechanism): void {
    if (token.kind === 'problem') return this.report({ at: token.at, text: token.text });
    if (token.kind === 'instruction' && token.instruction.realTime) return void this.#run(token, mechanism);
    if (this.#queue.add({ token, mechanism })) return;
    const text = `the printer is offline, and its memory of ${QUEUE_BYTES_MAX} bytes is full: this is lost`;
    this.report({ at: token.at, text });
  }

  /** Prints what waits, as long as it is online. */
  #print(): void {
    this.#queue.run(
      () => isOnline(this.condition),
      ({ token, mechanism }) =>
        this.#isSelected || isSelection(token) ? this.#run(token, mechanism) : undefined,
    );
    // What a program left behind that has gone.
    if (this.#connections.size === 0 && !this.isWaiting) this.endReceipt('disconnected');
  }

  /** Carries out a token. Returns the text that is left of it once a line is full. */
  #run(token: Token, mechanism: Mechanism): Token | undefined {
    if (token.kind === 'text') {
      const typed = this.#sheet.type(token.bytes);
      if (typed === token.bytes.length) return undefined;
      return { kind: 'text', at: token.at + typed, bytes: token.bytes.subarray(typed) };
    }
    if (token.kind === 'problem') return undefined;
    const { instruction, parameters, at } = token;
    const wrong = instruction.run(this.#sheet, parameters, mechanism);
    if (wrong) this.report({ at, text: `${instruction.name} (${instruction.does}): ${wrong}` });
    return undefined;
  }

  #usePaper(dots: number): void {
    this.#change({ dotsLeft: Math.max(this.#memory.dotsLeft - dots, 0) });
    if (dots > 0) this.#strike('line');
  }

  #strike(point: FaultPoint): void {
    for (const state of this.#faults.count(point)) this.#enter(state);
  }

  #change(to: Partial<PrinterMemory>): void {
    const before = this.condition;
    Object.assign(this.#memory, to);
    const now = this.condition;
    if (!isSameCondition(before, now)) this.#emit({ what: 'condition', before, now });
    if (!isOnline(before) && isOnline(now)) this.#print();
  }

  #emit(event: PrinterEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function isSelection(token: Token): boolean {
  return token.kind === 'instruction' && token.instruction.name === 'ESC =';
}
