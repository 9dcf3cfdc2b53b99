import type { BytePort } from '../../agent/readers/byte-port.ts';
import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { toHex } from '../../protocol/emv/hex.ts';
import type { Log } from '../../protocol/log.ts';
import { PRINTER_STATES } from '../../protocol/receipt-printer.ts';
import { INSTRUCTIONS } from './escpos/device-instructions.ts';
import { EscposParser, type Token } from './escpos/parser.ts';
import { paperText } from './escpos/paper-text.ts';
import type { EscposPrinter } from './escpos/printer.ts';
import { parsePrinterFault } from './escpos/printer-faults.ts';
import {
  automaticStatus,
  describePrinter,
  identification,
  isOnline,
  isReported,
  queuedStatus,
  realTimeStatus,
} from './escpos/status.ts';
import type { Twin } from './twin.ts';
import { chosen, countOf } from './typed-words.ts';

/** Without data for so long, a receipt has ended, and an instruction that is not whole is reported. */
const PAUSE_MS = 1_000;

/** Replies that a program does not read are dropped from so many on. */
const UNREAD_REPLIES_MAX = 1_000;

interface EscposTwinParts {
  printer: EscposPrinter;
  port: BytePort;
  log: Log;
}

/** Connects a port to an ESC/POS receipt printer, which stays when the port closes. */
export function createEscposTwin({ printer, port, log }: EscposTwinParts): Twin {
  let parser = new EscposParser(INSTRUCTIONS);
  let received = 0;
  const hadOpenLine = printer.hasOpenLine;
  const { receive, disconnect, restarted } = connectReplies({ printer, port, log });
  const reportUnfinished = () => {
    const { unfinished } = parser;
    if (unfinished) printer.report(unfinished);
  };
  const pause = createPause(printer.clock, () => {
    reportUnfinished();
    if (!printer.isWaiting) printer.endReceipt('pause');
  });
  const unwatch = printer.watch((event) => {
    if (event.what === 'condition' && !isOnline(event.before) && isOnline(event.now)) pause.begin();
    if (event.what === 'restarted') {
      parser = new EscposParser(INSTRUCTIONS);
      restarted();
    }
    if (event.what === 'unplugged') void port.close();
  });
  port.onData((bytes) => {
    received += bytes.length;
    const tokens = parser.push(bytes);
    for (const token of tokens) if (token.kind === 'instruction') logInstruction(log, token);
    receive(tokens);
    pause.begin();
  });
  port.onClose(() => {
    unwatch();
    pause.stop();
    reportUnfinished();
    if (printer.hasOpenLine && !hadOpenLine && !printer.isWaiting) {
      const text = 'the last line has no line feed: it waits in the printer, before what is printed next';
      printer.report({ at: received, text });
    }
    disconnect();
  });
  return { name: 'ESC/POS printer', controls: controlsOf(printer), close: () => port.close() };
}

// Longer ones have text and pictures, which are nobody's but the customer's.
const LOGGED_BYTES_MAX = 4;

function logInstruction(
  log: Log,
  { at, instruction, parameters }: Extract<Token, { kind: 'instruction' }>,
): void {
  const { length } = parameters;
  const shown = length <= LOGGED_BYTES_MAX ? toHex(parameters) : `${length} bytes`;
  log.debug({ at, parameters: shown }, `${instruction.name} (${instruction.does})`);
}

/** Connects the printer to a port, over which it replies. */
function connectReplies({ printer, port, log }: EscposTwinParts) {
  /** The kinds of changes that it reports by itself, as bits of `GS a`. */
  let kinds = 0;
  let unread = 0;
  const reply = (bytes: Uint8Array) => {
    if (unread >= UNREAD_REPLIES_MAX) return;
    unread += 1;
    const lost = (error: unknown) =>
      log.debug({ reason: messageOf(error) }, 'a reply of the printer was lost');
    void port
      .write(bytes)
      .catch(lost)
      .finally(() => (unread -= 1));
  };
  const { receive, disconnect } = printer.connect({
    reply,
    sendStatus(request, number) {
      // Numbers are also sent as letters: 31 for 1.
      const value = number >= 0x31 && number <= 0x34 ? number - 0x30 : number;
      const { condition } = printer;
      const answer = {
        'DLE EOT': () => realTimeStatus(number, condition),
        'GS r': () => queuedStatus(value, condition),
        'GS I': () => identification(value),
      }[request]();
      if (answer) reply(answer);
      return answer !== undefined;
    },
    reportChanges(asked) {
      kinds = asked;
      if (kinds !== 0) reply(automaticStatus(printer.condition));
    },
  });
  const unwatch = printer.watch((event) => {
    if (event.what === 'condition' && isReported(kinds, event.before, event.now))
      reply(automaticStatus(event.now));
  });
  return {
    receive,
    restarted: () => (kinds = 0),
    disconnect() {
      unwatch();
      disconnect();
    },
  };
}

/** Calls back once nothing has begun for a time. Its timer runs only until then. */
function createPause(clock: Clock, ended: () => void) {
  let timer: Timer | undefined;
  let beganAtMs = 0;
  const check = () => {
    timer = undefined;
    const leftMs = beganAtMs + PAUSE_MS - clock.nowMs();
    if (leftMs > 0) timer = after(clock, leftMs, check);
    else ended();
  };
  return {
    begin() {
      beganAtMs = clock.nowMs();
      timer ??= after(clock, PAUSE_MS, check);
    },
    stop: () => timer?.cancel(),
  };
}

const OPEN_OR_CLOSED = ['open', 'closed'] as const;
const ROLL_LINES = { of: 'lines', digits: 6 };

/** What a person does at the printer, and what is to happen to it. */
export function controlsOf(printer: EscposPrinter): Twin['controls'] {
  return {
    status: {
      run() {
        const { condition, linesLeft, drawer } = printer;
        return describePrinter({ ...condition, linesLeft, drawer });
      },
    },
    receipts: {
      run: () =>
        printer.receipts
          .map((receipt) => `${paperText(receipt)}--- receipt ${receipt.number}, ${receipt.end} ---`)
          .join('\n') || 'none is printed',
    },
    paper: {
      argument: 'LINES',
      run: (lines) =>
        printer.loadPaper(lines === undefined ? undefined : countOf('paper', lines, ROLL_LINES)),
    },
    cover: {
      argument: OPEN_OR_CLOSED.join('|'),
      run: (cover) => printer.setCover(chosen('cover', OPEN_OR_CLOSED, cover)),
    },
    drawer: {
      argument: OPEN_OR_CLOSED.join('|'),
      run: (drawer) => printer.setDrawer(chosen('drawer', OPEN_OR_CLOSED, drawer)),
    },
    state: {
      argument: PRINTER_STATES.join('|'),
      run: (name) => printer.enter(chosen('state', PRINTER_STATES, name)),
    },
    fault: {
      argument: 'STATE after line|cut|drawer NUMBER',
      run(text = '') {
        const fault = parsePrinterFault(text);
        if ('problem' in fault) throw new Fault('bad_setting', `fault ${fault.problem}`);
        printer.addFault(fault);
      },
    },
    mend: { run: () => printer.mend() },
    tear: { run: () => printer.endReceipt('torn off') },
    restart: { run: () => printer.restart() },
  };
}
