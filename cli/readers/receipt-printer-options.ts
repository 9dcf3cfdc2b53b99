import { CODE_PAGE_NUMBERS } from '../../agent/printers/printer-code-pages.ts';
import { Fault } from '../../protocol/failures.ts';
import { keysOf } from '../../protocol/tables.ts';
import { enumOption, integerOption, stringOption, type Values } from '../command-line/option.ts';

/** How to print at a receipt printer. The options are undefined when not given, so that they are refused without one. */
export const PRINTER_LINE_OPTIONS = {
  printerColumns: integerOption(
    { min: 20, max: 96 },
    {
      flag: '--printer-columns <number>',
      description: 'Letters of a line of the printer: 48 or 42 on paper of 80 mm, 32 of 58 mm',
      defaultText: '48',
    },
  ),
  printerCodePage: enumOption(keysOf(CODE_PAGE_NUMBERS), {
    flag: '--printer-code-page <name>',
    description: `Code page that the printer has: ${keysOf(CODE_PAGE_NUMBERS).join(', ')}`,
    defaultText: 'cp858',
  }),
  printerBaud: integerOption(
    { min: 1_200, max: 921_600 },
    {
      flag: '--printer-baud <rate>',
      description: 'Speed of a serial line to the printer, as its switches or its self-test say',
      defaultText: '9600',
    },
  ),
};

/** @throws Fault `bad_setting` for an option that says how to print, where there is no printer. */
export function refusePrinterOptions(options: Values<typeof PRINTER_LINE_OPTIONS>): void {
  const { printerColumns, printerCodePage, printerBaud } = options;
  const given = { columns: printerColumns, 'code-page': printerCodePage, baud: printerBaud };
  const name = keysOf(given).find((known) => given[known] !== undefined);
  if (name === undefined) return;
  throw new Fault('bad_setting', `--printer-${name} is of a receipt printer: add --printer, or leave it out`);
}

/** Options of a terminal that prints at a receipt printer. */
export const RECEIPT_PRINTER_OPTIONS = {
  printer: stringOption({
    flag: '--printer <path>',
    description:
      'Receipt printer (ESC/POS) for the receipts: tcp://192.168.1.50, with port 9100 unless it is given, or a serial port such as /dev/ttyUSB1',
    defaultText: 'they are shown here',
  }),
  ...PRINTER_LINE_OPTIONS,
};
