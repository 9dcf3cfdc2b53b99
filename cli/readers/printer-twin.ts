import { join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';
import type { OpenPort } from '../../agent/readers/byte-port.ts';
import { controlsOf, createEscposTwin } from '../../simulator/twins/escpos.twin.ts';
import type { Receipt } from '../../simulator/twins/escpos/paper.ts';
import { paperSvg } from '../../simulator/twins/escpos/paper-svg.ts';
import { paperText } from '../../simulator/twins/escpos/paper-text.ts';
import { EscposPrinter, type PrinterEvent } from '../../simulator/twins/escpos/printer.ts';
import { parsePrinterFault, type PrinterFault } from '../../simulator/twins/escpos/printer-faults.ts';
import { describeCondition, type PrinterCondition } from '../../simulator/twins/escpos/status.ts';
import { createCardTray, type TwinParts } from '../../simulator/twins/twin.ts';
import { createPty } from '../../simulator/twins/pty.ts';
import { openWithWireFaults } from '../../simulator/twins/wire-faults.ts';
import { untilInterrupted, type CommandContext, type Sink } from '../command-line/command-context.ts';
import { printJsonLine, printLine } from '../command-line/output.ts';
import type { Values } from '../command-line/option.ts';
import { commandLog, type LogOptions } from '../log/command-log.ts';
import { plugInTwin, startTcpTwin } from './plugged-twin.ts';
import type { PRINTER_OPTIONS } from './printer-options.ts';
import { controlNames, holdLink, runControl } from './twin-hand.ts';

/** Where receipt printers in a network listen. */
const PRINTER_PORT = 9_100;
const LINE = { baudRate: 9_600 };
const DOTS = { 48: 576, 42: 512, 32: 384 };

interface PrinterTwinOptions extends LogOptions, Values<typeof PRINTER_OPTIONS> {
  json: boolean;
  link: string | undefined;
  tcp: number | undefined;
  faults: string | undefined;
}

/** Runs a receipt printer on a TCP port, a serial line or both, and shows its paper, until it is interrupted. */
export async function runPrinterTwin(context: CommandContext, options: PrinterTwinOptions): Promise<void> {
  const { clock, keyboard, out } = context;
  const { link, faults: seed } = options;
  if (seed !== undefined && link === undefined)
    throw new Fault('bad_setting', '--faults is for serial lines: add --link, or use --fault');
  const tcp = options.tcp ?? (link === undefined ? PRINTER_PORT : undefined);
  const log = commandLog(context, options);
  const printer = printerOf(context, options);
  const device = {
    createTwin: ({ port }: TwinParts) => createEscposTwin({ printer, port, log }),
    clock,
    log,
    random: context.random,
    // It takes no cards.
    tray: createCardTray(),
  };
  const closings: (() => Promise<void> | void)[] = [];
  try {
    const places: string[] = [];
    if (tcp !== undefined) {
      const listening = await startTcpTwin({ ...device, port: tcp });
      closings.push(() => listening.close());
      places.push(listening.address);
    }
    if (link !== undefined) {
      closings.push(await holdLink(link));
      const ptyAt: OpenPort = (settings) => createPty({ link, clock, ...settings });
      const open = seed === undefined ? ptyAt : openWithWireFaults(ptyAt, { clock, seed });
      const plugged = await plugInTwin({ ...device, open, line: LINE });
      closings.push(() => plugged.close());
      places.push(link);
    }
    announce(context, { places, printer, asJson: options.json });
    const shown = { context, folder: options.out, asJson: options.json };
    const unwatch = printer.watch((event) => show(event, shown));
    // Lines of JSON are for a program, and what a command replies for whoever types it.
    const replies = options.json ? context.err : out;
    const stop = keyboard.onLine((typed) => execute(typed, { out: replies, printer }));
    await untilInterrupted(context);
    stop();
    printer.endReceipt('torn off');
    unwatch();
  } finally {
    for (const close of closings.reverse()) await close();
  }
}

function announce(
  { out }: CommandContext,
  { places, printer, asJson }: { places: string[]; printer: EscposPrinter; asJson: boolean },
): void {
  if (asJson) return printJsonLine(out, { listening: places });
  const condition = describeCondition(printer.condition);
  const hints = 'Type help for the commands. Ctrl-C stops it.';
  out.write(`ESC/POS receipt printer at ${places.join(' and ')}, ${condition}. ${hints}\n`);
}

function printerOf({ clock }: CommandContext, options: PrinterTwinOptions): EscposPrinter {
  const { columns = '48', roll, nearEnd, drawerOpen, fault, out } = options;
  const faults = fault.map((text): PrinterFault => {
    const parsed = parsePrinterFault(text);
    if ('problem' in parsed)
      throw new Fault('bad_setting', `--fault ${parsed.problem}, not '${text.slice(0, 80)}'`);
    return parsed;
  });
  if (out !== undefined) makeOutputFolder(out);
  const settings = {
    dots: DOTS[columns],
    ...(roll !== undefined && { rollLines: roll }),
    ...(nearEnd !== undefined && { nearEndLines: nearEnd }),
    ...(drawerOpen !== undefined && { drawerOpenPin: drawerOpen }),
  };
  return new EscposPrinter({ clock, faults, settings });
}

function makeOutputFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (thrown) {
    throw new Fault('bad_setting', `--out ${folder} cannot be made: ${messageOf(thrown)}`, { cause: thrown });
  }
}

interface Hand {
  out: Sink;
  printer: EscposPrinter;
}

/** Runs a command that a person typed. */
function execute(line: string, { out, printer }: Hand): void {
  const [word = '', ...others] = line.trim().split(/\s+/);
  if (word === '') return;
  const controls = controlsOf(printer);
  if (runControl(controls, { word, argument: others.join(' ') || undefined, out })) return;
  printLine(out, controlNames(controls).join(', '));
}

interface Shown {
  context: CommandContext;
  folder: string | undefined;
  asJson: boolean;
}

/** Prints what happens at the printer. */
function show(event: PrinterEvent, { context, folder, asJson }: Shown): void {
  const { out, err } = context;
  const picture = event.what === 'receipt' && folder !== undefined && keepReceipt(event.receipt, folder, err);
  if (asJson) {
    const shown = jsonOf(event);
    if (shown) printJsonLine(out, { ...shown, ...(picture && { picture }) });
    return;
  }
  if (event.what === 'problem') printLine(err, `byte ${event.problem.at}: ${event.problem.text}`);
  if (event.what === 'condition' && isDescribed(event)) printLine(out, describeCondition(event.now));
  if (event.what === 'drawer') {
    const pulse = event.pin === undefined ? '' : `, pin ${event.pin} for ${event.onMs} ms`;
    printLine(out, `drawer ${event.drawer}${pulse}`);
  }
  if (event.what === 'unplugged') printLine(out, 'unplugged');
  if (event.what === 'receipt') {
    const { number, end } = event.receipt;
    if (picture) printLine(out, `receipt ${number}, ${end}: ${picture}`);
    else out.write(`${paperText(event.receipt)}--- receipt ${number}, ${end} ---\n`);
  }
}

/** Returns what a program is told of an event; undefined for nothing. */
function jsonOf(event: PrinterEvent): object | undefined {
  if (event.what === 'receipt') {
    const { number, end } = event.receipt;
    return { receipt: number, end, text: paperText(event.receipt) };
  }
  if (event.what === 'problem') return { problem: event.problem.text, at: event.problem.at };
  if (event.what === 'condition') {
    const { paper, cover, error } = event.now;
    return isDescribed(event) ? { paper, cover, error } : undefined;
  }
  if (event.what === 'drawer') {
    const { drawer, pin, onMs } = event;
    return { drawer, ...(pin !== undefined && { pin, onMs }) };
  }
  return event.what === 'unplugged' ? { unplugged: true } : undefined;
}

/** Writes a receipt to the folder. Returns the path of its picture, or undefined when it cannot be written. */
function keepReceipt(receipt: Receipt, folder: string, err: Sink): string | undefined {
  const path = join(folder, `receipt-${String(receipt.number).padStart(4, '0')}`);
  try {
    replaceFile(`${path}.txt`, paperText(receipt));
    replaceFile(`${path}.svg`, paperSvg(receipt));
    return `${path}.svg`;
  } catch (thrown) {
    printLine(err, `${path} cannot be written: ${messageOf(thrown)}`);
  }
}

/** Whether more than the pin of the drawer has changed. */
function isDescribed({ before, now }: Record<'before' | 'now', PrinterCondition>): boolean {
  return describeCondition(before) !== describeCondition(now);
}
