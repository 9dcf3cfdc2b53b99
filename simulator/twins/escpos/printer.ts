import type { Clock } from '../../../protocol/clock.ts';
import type { Mechanism } from './instruction.ts';
import {
  createFaultCounter,
  ERRORS_BY_STATE,
  type FaultPoint,
  type PrinterFault,
  type PrinterState,
} from './printer-faults.ts';
import { LINE_DOTS, type Receipt, type ReceiptEnd } from './paper.ts';
import type { Problem, Token } from './parser.ts';
import { PrintQueue, QUEUE_BYTES_MAX } from './print-queue.ts';
import { Sheet } from './sheet.ts';
import { isOnline, isSameCondition, type PrinterCondition, type PrinterError } from './status.ts';

interface PrinterSettings {
  /** Dots of a line: 576 for 48 letters of font A. */
  dots: number;
  /** Lines of a roll. */
  rollLines: number;
  /** Lines left from which on it reports the end of the roll. */
  nearEndLines: number;
  /** The level of the drawer's pin while it is open, which depends on the drawer. */
  drawerOpenPin: 'high' | 'low';
}

const USUAL_PRINTER: PrinterSettings = {
  dots: 576,
  rollLines: 2_000,
  nearEndLines: 60,
  drawerOpenPin: 'low',
};

export type PrinterEvent =
  | { what: 'receipt'; receipt: Receipt }
  | { what: 'problem'; problem: Problem }
  | { what: 'drawer'; drawer: 'open' | 'closed'; pin?: 2 | 5; onMs?: number }
  | { what: 'condition'; before: PrinterCondition; now: PrinterCondition }
  /** It was switched off and on. */
  | { what: 'restarted' }
  /** Its cable was pulled out. */
  | { what: 'unplugged' };

export interface PrinterParts {
  clock: Clock;
  settings?: Partial<PrinterSettings>;
  faults?: readonly PrinterFault[];
}

/** What a connection does for the instructions that came over it. */
type PrinterConnection = Pick<Mechanism, 'reply' | 'sendStatus' | 'reportChanges'>;

/** Older receipts are dropped, to bound memory. */
const RECEIPTS_KEPT = 20;

/** A receipt printer: its paper, cover, cutter and drawer, and what waits to be printed. Connections come and go. */
export class EscposPrinter {
  readonly clock: Clock;
  readonly settings: PrinterSettings;
  /** The last receipts, newest last. */
  readonly receipts: Receipt[] = [];
  readonly #listeners = new Set<(event: PrinterEvent) => void>();
  readonly #connections = new Set<PrinterConnection>();
  readonly #count: (point: FaultPoint) => PrinterState[];
  readonly #sheet: Sheet;
  readonly #queue = new PrintQueue();
  #isSelected = true;
  #dotsLeft: number;
  #reportsNearEnd = false;
  #cover: PrinterCondition['cover'] = 'closed';
  #error: PrinterError = 'none';
  #drawer: 'open' | 'closed' = 'closed';
  #receiptCount = 0;

  constructor({ clock, settings, faults = [] }: PrinterParts) {
    this.clock = clock;
    this.settings = { ...USUAL_PRINTER, ...settings };
    this.#dotsLeft = this.settings.rollLines * LINE_DOTS;
    this.#count = createFaultCounter(faults);
    this.#sheet = new Sheet({ dots: this.settings.dots, feed: (dots) => this.#usePaper(dots) });
  }

  get drawer(): 'open' | 'closed' {
    return this.#drawer;
  }

  get condition(): PrinterCondition {
    const { nearEndLines, drawerOpenPin } = this.settings;
    const isLow = this.#reportsNearEnd || this.#dotsLeft <= nearEndLines * LINE_DOTS;
    const opensHigh = drawerOpenPin === 'high';
    return {
      paper: this.#dotsLeft <= 0 ? 'out' : isLow ? 'near end' : 'enough',
      cover: this.#cover,
      error: this.#error,
      drawerPin: (this.#drawer === 'open') === opensHigh ? 'high' : 'low',
    };
  }

  /** Lines of the usual spacing that are left of the roll. */
  get linesLeft(): number {
    return Math.ceil(this.#dotsLeft / LINE_DOTS);
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
    this.#change(() => {
      this.#dotsLeft = lines * LINE_DOTS;
      this.#reportsNearEnd = false;
    });
  }

  setCover(cover: PrinterCondition['cover']): void {
    this.#change(() => (this.#cover = cover));
  }

  setDrawer(
    drawer: 'open' | 'closed',
    pulse: { pin: 2 | 5; onMs: number } | Record<string, never> = {},
  ): void {
    if (this.#drawer === drawer) return;
    this.#change(() => (this.#drawer = drawer));
    this.#emit({ what: 'drawer', drawer, ...pulse });
  }

  setError(error: PrinterError): void {
    this.#change(() => (this.#error = error));
  }

  /** Puts it into a state by its name, as a fault does. */
  enter(state: PrinterState): void {
    if (state === 'paper-out') return this.loadPaper(0);
    if (state === 'near-end') return this.#change(() => (this.#reportsNearEnd = true));
    if (state === 'cover-open') return this.setCover('open');
    if (state === 'unplugged') return this.#emit({ what: 'unplugged' });
    this.setError(ERRORS_BY_STATE[state]);
  }

  /** Repairs all that stops it: a new roll if it is out, the cover closed, no error. */
  mend(): void {
    this.#change(() => {
      if (this.#dotsLeft <= 0) this.#dotsLeft = this.settings.rollLines * LINE_DOTS;
      this.#cover = 'closed';
      this.#error = 'none';
    });
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
    this.#receiptCount += 1;
    const { dots: width } = this.#sheet;
    const receipt = { number: this.#receiptCount, atMs: this.clock.nowMs(), end, width, height, elements };
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
      if (this.#error !== 'cutter' && this.#error !== 'mechanical') return;
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
    this.#change(() => (this.#dotsLeft = Math.max(this.#dotsLeft - dots, 0)));
    if (dots > 0) this.#strike('line');
  }

  #strike(point: FaultPoint): void {
    for (const state of this.#count(point)) this.enter(state);
  }

  #change(apply: () => void): void {
    const before = this.condition;
    apply();
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
