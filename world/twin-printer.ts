import { EscposPrinter as PrinterDriver } from '../agent/printers/escpos-printer.ts';
import type { BytePort } from '../agent/readers/byte-port.ts';
import type { FrameTrace } from '../agent/readers/frame-channel.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Log } from '../protocol/log.ts';
import type { OutsidePrinter } from '../simulator/printer.ts';
import { bytePipe } from '../simulator/twins/byte-pipe.ts';
import { createEscposTwin } from '../simulator/twins/escpos.twin.ts';
import { LETTER_DOTS } from '../simulator/twins/escpos/paper.ts';
import type { EscposPrinter } from '../simulator/twins/escpos/printer.ts';

interface TwinPrinterParts {
  twin: EscposPrinter;
  clock: Clock;
  log: Log;
  trace: FrameTrace;
}

/** Returns the printer of a terminal that prints at the twin of a receipt printer, over a line in this process. */
export function printAtTwin({ twin, clock, log, trace }: TwinPrinterParts): OutsidePrinter {
  const driver = new PrinterDriver({
    async open(): Promise<BytePort> {
      const [ours, device] = bytePipe({ clock, path: 'tcp://127.0.0.1:9100' });
      createEscposTwin({ printer: twin, port: device, log });
      return { ...ours, isLocal: true };
    },
    line: { baudRate: 9_600 },
    paper: { columns: Math.floor(twin.settings.dots / LETTER_DOTS.A.width), codePage: 'cp858' },
    clock,
    log,
    trace,
  });
  return {
    print: (copy, text) => driver.print(copy, text),
    load: (sheets) => twin.loadPaper(sheets === 0 ? 0 : undefined),
    get isEmpty() {
      return twin.condition.paper === 'out';
    },
  };
}
