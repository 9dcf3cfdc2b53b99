import type { EscposPrinter } from '../../agent/printers/escpos-printer.ts';
import type { PrinterPaper } from '../../agent/printers/receipt-bytes.ts';
import type { LineSettings, OpenPort } from '../../agent/readers/byte-port.ts';
import type { FrameTrace } from '../../agent/readers/frame-channel.ts';
import { openSerialPort } from '../../agent/readers/serial-port.ts';
import { openTcpPort, TCP_PREFIX } from '../../agent/readers/tcp-port.ts';
import type { Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import type { Values } from '../command-line/option.ts';
import { coloured, printJsonLine, printLine } from '../command-line/output.ts';
import {
  refusePrinterOptions,
  type PRINTER_LINE_OPTIONS,
  type RECEIPT_PRINTER_OPTIONS,
} from './receipt-printer-options.ts';

const OVER_TCP = { port: 9_100, setTo: 'port 9100' };

/** How a printer is reached, and what is in it. */
export interface PrinterPlace {
  open: OpenPort;
  line: LineSettings;
  paper: PrinterPaper;
}

/** @throws Fault `bad_setting` for an address that is none. */
export function printerPlace(path: string, options: Values<typeof PRINTER_LINE_OPTIONS>): PrinterPlace {
  const { printerColumns = 48, printerCodePage = 'cp858', printerBaud = 9_600 } = options;
  if (path.includes('://') && !path.startsWith(TCP_PREFIX))
    throw new Fault(
      'bad_setting',
      `a receipt printer is at ${TCP_PREFIX}host or a serial port, not at '${path}'`,
    );
  return {
    open: path.startsWith(TCP_PREFIX) ? openTcpPort(path, OVER_TCP) : openSerialPort(path),
    line: { baudRate: printerBaud },
    paper: { columns: printerColumns, codePage: printerCodePage },
  };
}

export type PrinterChoice = Values<typeof RECEIPT_PRINTER_OPTIONS>;

/** Creates the printer of a terminal once, with what shows its bytes. */
export interface ReceiptPrinter {
  create(parts: { clock: Clock; log: Log; trace: FrameTrace }): EscposPrinter;
  close(): Promise<void>;
}

/**
 * Returns the receipt printer of a terminal; undefined when its receipts are shown. What keeps it from printing is printed.
 * @throws Fault `bad_setting` for an address that is none, and for options of a printer without one.
 */
export async function chooseReceiptPrinter(
  context: CommandContext,
  { printer: path, json, ...options }: PrinterChoice & { json: boolean },
): Promise<ReceiptPrinter | undefined> {
  if (path === undefined) {
    refusePrinterOptions(options);
    return undefined;
  }
  const place = printerPlace(path, options);
  const { EscposPrinter: Escpos } = await import('../../agent/printers/escpos-printer.ts');
  const { out, err } = context;
  let printer: EscposPrinter | undefined;
  return {
    create(parts) {
      printer = new Escpos({
        ...place,
        ...parts,
        onTrouble(trouble) {
          if (json) printJsonLine(out, { printer: path, trouble: trouble ?? null });
          else printLine(err, coloured(err, 'dim', `printer at ${path}: ${trouble ?? 'ready'}`));
        },
      });
      return printer;
    },
    close: async () => printer?.close(),
  };
}
