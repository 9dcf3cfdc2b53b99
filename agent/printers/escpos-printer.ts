import { delay, type Clock } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import { PRINT_COPY_MS } from '../lifecycle/deadlines.ts';
import type { PrintOutcome, Printer } from '../lifecycle/receipt.ts';
import type { LineSettings, OpenPort } from '../readers/byte-port.ts';
import { createFrameChannel, tracedParser, type FrameTrace } from '../readers/frame-channel.ts';
import { openInTime } from '../readers/open-in-time.ts';
import { createAnswerParser } from './printer-answers.ts';
import {
  createPrinterConnection,
  type PrinterCondition,
  type PrinterConnection,
} from './printer-connection.ts';
import { CUT } from './printer-instructions.ts';
import { CUT_OFF, receiptBytes, type PrinterPaper } from './receipt-bytes.ts';

/** How long a copy waits for paper, and for its end: the terminal skips it a little later. */
const COPY_LIMIT_MS = PRINT_COPY_MS - 2_000;
/** How long a copy waits for a printer that cannot be reached, while the cardholder waits too. */
const UNREACHABLE_LIMIT_MS = 5_000;
const CUT_LIMIT_MS = 2_000;
const POLL_MS = 1_000;
/** How often a printer that is stuck is told to go on: each time it moves what is stuck. */
const RECOVER_MS = 5_000;
/** How long a late answer to an earlier question may take to come after the answer to a new one. */
const LATE_ANSWER_MS = 300;

export interface EscposPrinterParts {
  open: OpenPort;
  line: LineSettings;
  paper: PrinterPaper;
  clock: Clock;
  log: Log;
  /** Receives what is sent and received, for inspection. */
  trace?: FrameTrace | undefined;
  /** Called when the printer cannot print, or its paper is near its end, in words; with undefined once neither is so. */
  onTrouble?: ((trouble: string | undefined) => void) | undefined;
}

interface OpenLine {
  connection: PrinterConnection;
  close(): void;
}

/**
 * An ESC/POS receipt printer as the printer of a terminal. It opens the line for each copy and closes it after, since most
 * printers in a network serve one connection at a time.
 *
 * A copy is sent only to a printer that says that it can print, and is printed once the printer says that it is that far.
 * One that has been sent is never sent again: where the paper ends in it, the printer prints the rest when there is paper,
 * unless it is switched off before, which it does not say.
 */
export class EscposPrinter implements Printer {
  readonly #parts: EscposPrinterParts;
  readonly #queue = createSerialQueue();
  #trouble: string | undefined;
  #recoveredMs = -Infinity;
  #isClosed = false;
  /** What became of the last copy that was sent: where its line was cut a part may be out; held, the rest is to come. */
  #lastCopy: 'printed' | 'cut' | 'held' = 'printed';

  constructor(parts: EscposPrinterParts) {
    this.#parts = parts;
  }

  /** @throws Fault `reader` when the copy is not printed for another reason than paper. */
  print(_copy: string, text: string): Promise<PrintOutcome> {
    const endMs = this.#parts.clock.nowMs() + COPY_LIMIT_MS;
    return this.#queue(() => this.#printCopy(text, endMs));
  }

  /** Gives up the copy that is under way. Resolves when the line is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue(async () => {});
  }

  async #printCopy(text: string, endMs: number): Promise<PrintOutcome> {
    const line = await this.#openReadyLine(endMs);
    if (line === 'noPaper') return 'noPaper';
    try {
      if (this.#lastCopy === 'held') await this.#awaitHeldCopy(line.connection, endMs);
      const before = this.#lastCopy === 'cut' ? CUT_OFF : [];
      this.#lastCopy = 'cut';
      await line.connection.print([...before, ...receiptBytes(text, this.#parts.paper)], CUT);
      await this.#untilPrinted(line.connection, endMs);
      // Where the paper ends at the cut the copy is out, and only the cut is to come.
      if (!(await line.connection.isPrinted(2, CUT_LIMIT_MS))) this.#lastCopy = 'held';
      return 'printed';
    } catch (error) {
      if (this.#lastCopy !== 'cut') throw error;
      const reason = `the line to the printer was cut in the copy, of which a part may be out: ${messageOf(error)}`;
      throw new Fault('reader', reason, { cause: error });
    } finally {
      line.close();
    }
  }

  /**
   * Opens the line once the printer can print. Resolves with `noPaper` when it has none by the end.
   * @throws Fault `reader` when it cannot be reached, or cannot print by the end.
   */
  async #openReadyLine(endMs: number): Promise<OpenLine | 'noPaper'> {
    const { clock } = this.#parts;
    const inReach = { untilMs: 0 };
    const extend = () => (inReach.untilMs = Math.min(endMs, clock.nowMs() + UNREACHABLE_LIMIT_MS));
    extend();
    for (;;) {
      let line: OpenLine | undefined;
      try {
        line = await openLine(this.#parts);
        if (await this.#untilReady(line.connection, endMs, extend)) return line;
        line.close();
        return 'noPaper';
      } catch (error) {
        line?.close();
        this.#tell(messageOf(error));
        if (this.#isClosed || clock.nowMs() >= inReach.untilMs) throw error;
        await delay(clock, POLL_MS);
      }
    }
  }

  /** Waits until the printer can print. Resolves with false when it has no paper by the end. */
  async #untilReady(connection: PrinterConnection, endMs: number, onAnswer: () => void): Promise<boolean> {
    const { clock } = this.#parts;
    for (;;) {
      const condition = await this.#readCondition(connection);
      if (!condition) throw new Fault('reader', 'the printer does not answer');
      onAnswer();
      const isLate = clock.nowMs() >= endMs;
      if (condition.problem === undefined && !isLate) return true;
      if (this.#isClosed || isLate) {
        if (condition.isPaperOut) return false;
        throw new Fault('reader', condition.problem ?? TOO_LATE);
      }
      await delay(clock, POLL_MS);
    }
  }

  /** Waits until the printer has printed the rest of the last copy, which it had when the line was closed. */
  async #awaitHeldCopy(connection: PrinterConnection, endMs: number): Promise<void> {
    await connection.print([]);
    await this.#untilPrinted(connection, endMs);
    // On a serial line the answer to the question behind that copy may come too.
    await delay(this.#parts.clock, LATE_ANSWER_MS);
    if (this.#parts.clock.nowMs() >= endMs) throw new Fault('reader', TOO_LATE);
  }

  async #untilPrinted(connection: PrinterConnection, endMs: number): Promise<void> {
    const { clock } = this.#parts;
    while (!(await connection.isPrinted(1, POLL_MS))) {
      const condition = await this.#readCondition(connection);
      if (!this.#isClosed && clock.nowMs() < endMs) continue;
      this.#lastCopy = 'held';
      const reason = condition ? (condition.problem ?? 'it is slow') : 'it does not answer';
      throw new Fault('reader', `the printer stopped in a copy, of which the rest may come later: ${reason}`);
    }
    this.#lastCopy = 'printed';
  }

  /** Reads how the printer is, and tells one that is stuck to go on. */
  async #readCondition(connection: PrinterConnection): Promise<PrinterCondition | undefined> {
    const { clock } = this.#parts;
    const condition = await connection.readCondition();
    if (!condition) return undefined;
    this.#tell(condition.problem ?? (condition.isPaperLow ? LOW_PAPER : undefined));
    if (condition.isRecoverable && clock.nowMs() - this.#recoveredMs >= RECOVER_MS) {
      await connection.recover();
      this.#recoveredMs = clock.nowMs();
    }
    return condition;
  }

  #tell(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    if (trouble === undefined) this.#parts.log.info('the receipt printer is ready');
    else this.#parts.log.warn({ trouble }, 'the receipt printer');
    this.#parts.onTrouble?.(trouble);
  }
}

/** The terminal has skipped the copy, and has told the server that it is not printed. */
const TOO_LATE = 'the printer was ready too late for the copy';
const LOW_PAPER = 'the paper is near its end';

async function openLine({ open, line, clock, trace }: EscposPrinterParts): Promise<OpenLine> {
  const port = await openInTime(clock, open(line), 'the port of the printer did not open');
  const channel = createFrameChannel({
    port,
    parser: trace ? tracedParser(createAnswerParser(), trace) : createAnswerParser(),
    clock,
    trace,
    onUnsolicited: () => {},
    onClosed: () => {},
  });
  channel.setBuffering(true);
  return { connection: createPrinterConnection(channel, clock), close: () => channel.close('closed') };
}
