import { toHex } from '../../../../protocol/emv/hex.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { createEscposTwin } from '../../../../simulator/twins/escpos.twin.ts';
import { paperText } from '../../../../simulator/twins/escpos/paper-text.ts';
import {
  EscposPrinter,
  type PrinterEvent,
  type PrinterParts,
} from '../../../../simulator/twins/escpos/printer.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { bytePipe } from '../../../../simulator/twins/byte-pipe.ts';

/** Bytes in hexadecimal, and text in single quotes: `1B40 'Coffee' 0A`. */
export function bytesOf(...pieces: string[]): Uint8Array {
  const parts = pieces.join(' ').matchAll(/'([^']*)'|([0-9A-F]{2})/g);
  return Uint8Array.from(
    [...parts].flatMap(([, text, hex]) =>
      text === undefined ? [Number.parseInt(hex!, 16)] : [...Buffer.from(text)],
    ),
  );
}

/** A printer and a program that prints at it. */
export function openPrinter(parts: Omit<PrinterParts, 'clock'> = {}) {
  const clock = new VirtualClock(0);
  const printer = new EscposPrinter({ ...parts, clock });
  const events: PrinterEvent[] = [];
  printer.watch((event) => void events.push(event));
  const connect = () => {
    const [host, device] = bytePipe({ clock });
    const twin = createEscposTwin({ printer, port: device, log: silentLog });
    let replies: Uint8Array[] = [];
    host.onData((bytes) => void replies.push(bytes));
    const heard = async () => {
      await clock.advance(2);
      const bytes = Buffer.concat(replies);
      replies = [];
      return toHex(bytes);
    };
    return {
      twin,
      host,
      /** Sends bytes and returns the replies, in hexadecimal. */
      async send(...pieces: string[]): Promise<string> {
        await host.write(bytesOf(...pieces));
        return heard();
      },
      /** Returns what came without a request. */
      replies: heard,
    };
  };
  return {
    clock,
    printer,
    events,
    connect,
    ...connect(),
    /** What was wrong, with its place. */
    problems: () =>
      events.flatMap((event) =>
        event.what === 'problem' ? [`${event.problem.at}: ${event.problem.text}`] : [],
      ),
    /** The text of the receipts. */
    texts: () => printer.receipts.map((receipt) => paperText(receipt)),
    /** The text that is not cut yet. */
    text: () => paperText(printer.paper),
  };
}
