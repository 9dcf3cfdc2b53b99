import { EscposPrinter as PrinterDriver } from '../agent/printers/escpos-printer.ts';
import type { BytePort } from '../agent/readers/byte-port.ts';
import type { FrameTrace } from '../agent/readers/frame-channel.ts';
import type { Clock } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import type { Log } from '../protocol/log.ts';
import { sheetsLeft, type CreateTwinPrinter, type OutsidePrinter } from '../simulator/outside-printer.ts';
import { bytePipe } from '../simulator/twins/byte-pipe.ts';
import { controlsOf, createEscposTwin } from '../simulator/twins/escpos.twin.ts';
import { LETTER_DOTS } from '../simulator/twins/escpos/paper.ts';
import { EscposPrinter } from '../simulator/twins/escpos/printer.ts';

interface TwinPrinterParts {
  twin: EscposPrinter;
  clock: Clock;
  log: Log;
  trace: FrameTrace;
}

/** Creates the twin of a receipt printer, and the printer of a terminal that prints there. */
export const createTwinPrinter: CreateTwinPrinter = ({ state, ...parts }) =>
  printAtTwin({ ...parts, twin: new EscposPrinter({ clock: parts.clock, ...state }) });

/** Returns the printer of a terminal that prints at the twin of a receipt printer, over a line in this process. */
export function printAtTwin({ twin, ...parts }: TwinPrinterParts): OutsidePrinter {
  let driver = driveTwin(twin, parts);
  return {
    twin: { printer: twin, controls: controlsOf(twin) },
    get sheets() {
      return sheetsLeft(twin);
    },
    get isPrinting() {
      return driver.isPrinting;
    },
    print: (copy, text) => driver.print(copy, text),
    switchOff() {
      driver.end();
      driver = driveTwin(twin, parts);
    },
  };
}

/** Connects a driver to the twin, as a terminal does that is switched on. */
function driveTwin(twin: EscposPrinter, { clock, log, trace }: Omit<TwinPrinterParts, 'twin'>) {
  let line: BytePort | undefined;
  let isOn = true;
  const driver = new PrinterDriver({
    async open(): Promise<BytePort> {
      if (!isOn) throw new Fault('reader', 'the terminal is switched off');
      const [ours, device] = bytePipe({ clock, path: 'tcp://127.0.0.1:9100' });
      createEscposTwin({ printer: twin, port: device, log });
      line = ours;
      return { ...ours, isLocal: true };
    },
    line: { baudRate: 9_600 },
    paper: { columns: Math.floor(twin.settings.dots / LETTER_DOTS.A.width), codePage: 'cp858' },
    clock,
    log,
    trace,
  });
  let copies = 0;
  return {
    get isPrinting() {
      return copies > 0;
    },
    print(copy: 'merchantCopy' | 'customerCopy', text: string) {
      copies += 1;
      return driver.print(copy, text).finally(() => (copies -= 1));
    },
    /** Cuts the line off: what was sent is printed, and nothing more is sent. */
    end() {
      isOn = false;
      void driver.close();
      void line?.close();
    },
  };
}
