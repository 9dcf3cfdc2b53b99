import { createServer, type Server as TcpServer } from 'node:net';
import type { FrameTrace } from '../../agent/readers/frame-channel.ts';
import type { Clock } from '../../protocol/clock.ts';
import type { Log } from '../../protocol/log.ts';
import { PRINTER_STATES, type PrinterState } from '../../protocol/receipt-printer.ts';
import { Type } from '../../protocol/schema.ts';
import { listenOn } from '../../server/platform/listen.ts';
import type { OutsidePrinter } from '../../simulator/outside-printer.ts';
import { streamPort } from '../../simulator/twins/device-port.ts';
import { createEscposTwin } from '../../simulator/twins/escpos.twin.ts';
import type { ReceiptEnd } from '../../simulator/twins/escpos/paper.ts';
import { paperText } from '../../simulator/twins/escpos/paper-text.ts';
import { EscposPrinter } from '../../simulator/twins/escpos/printer.ts';
import { parsePrinterFault, type PrinterFault } from '../../simulator/twins/escpos/printer-faults.ts';
import type { PrinterCondition } from '../../simulator/twins/escpos/status.ts';
import { printAtTwin } from '../../world/twin-printer.ts';
import { optionsChecker } from './checked-options.ts';

/** Options of a receipt printer; all have defaults. */
export interface PrinterOptions {
  /** Letters of a line; 48 by default. */
  columns?: 48 | 42 | 32;
  /** Lines of a roll; 2,000 by default. */
  rollLines?: number;
  /** Lines left from which on the printer reports the end of the roll; 60 by default. */
  nearEndLines?: number;
  /** Level of the drawer's pin while it is open; low by default. */
  drawerOpen?: 'high' | 'low';
  /** What happens to it, such as `paper-out after cut 1`. */
  faults?: readonly string[];
}

const checkPrinterOptions = optionsChecker<PrinterOptions>('openPrinter', {
  columns: Type.Optional(Type.Enum([48, 42, 32])),
  rollLines: Type.Optional(Type.Integer({ minimum: 0 })),
  nearEndLines: Type.Optional(Type.Integer({ minimum: 0 })),
  drawerOpen: Type.Optional(Type.Enum(['high', 'low'])),
  faults: Type.Optional(Type.Array(Type.String())),
});

/** A receipt that came out of a printer. */
export interface PrintedReceipt {
  text: string;
  end: ReceiptEnd;
}

/** A receipt printer (ESC/POS) that a test works. A terminal prints at it (`openTill({ printer })`), or a till over TCP. */
export interface TestPrinter {
  /** The last 20 receipts, oldest first. */
  readonly receipts: readonly PrintedReceipt[];
  /** The last 100 things that were wrong in what a program sent, each with its place, oldest first. */
  readonly problems: readonly string[];
  readonly paper: PrinterCondition['paper'];
  readonly cover: PrinterCondition['cover'];
  readonly error: PrinterCondition['error'];
  readonly drawer: 'open' | 'closed';
  /** Opens a TCP port of this machine, 0 for any free one, until the world is closed. Returns its address. */
  listen(port?: number): Promise<{ host: string; port: number }>;
  /** Puts in a roll with so many lines, by itself a whole one; 0 takes the roll out. @throws Error for no number of lines */
  loadPaper(lines?: number): void;
  /** @throws Error for a cover that is neither open nor closed */
  setCover(cover: PrinterCondition['cover']): void;
  closeDrawer(): void;
  /** Puts it into a state by its name, as a fault does. @throws Error for a name that no state has, or `unplugged` without a line */
  enter(state: PrinterState): void;
  /** Repairs all that stops it: a new roll if it is out, the cover closed, no error. */
  mend(): void;
  /** Switches it off and on: what waits to be printed is lost. */
  restart(): void;
}

/** A printer, with what only its world uses. */
export interface WorldPrinter extends TestPrinter {
  /** Creates the printer of a terminal that prints here. */
  connect(trace: FrameTrace): OutsidePrinter;
  close(): Promise<void>;
}

/** @throws Error for an option that is unknown or not valid */
export function createTestPrinter(options: PrinterOptions, parts: { clock: Clock; log: Log }): WorldPrinter {
  checkPrinterOptions(options);
  const twin = new EscposPrinter({ clock: parts.clock, ...twinOptions(options) });
  const problems: string[] = [];
  twin.watch((event) => {
    if (event.what !== 'problem') return;
    problems.push(`byte ${event.problem.at}: ${event.problem.text}`);
    if (problems.length > PROBLEMS_KEPT) problems.shift();
  });
  const servers: { close(): Promise<void> }[] = [];
  return {
    get receipts() {
      return twin.receipts.map((receipt) => ({ text: paperText(receipt), end: receipt.end }));
    },
    problems,
    get paper() {
      return twin.condition.paper;
    },
    get cover() {
      return twin.condition.cover;
    },
    get error() {
      return twin.condition.error;
    },
    get drawer() {
      return twin.drawer;
    },
    async listen(port = 0) {
      const server = await listen(twin, { ...parts, port });
      servers.push(server);
      return server.address;
    },
    loadPaper(lines) {
      if (lines !== undefined && !(Number.isInteger(lines) && lines >= 0))
        throw new Error(`loadPaper: lines must be a whole number from 0 on, not ${String(lines)}`);
      twin.loadPaper(lines);
    },
    setCover(cover) {
      if (!COVERS.includes(cover))
        throw new Error(`setCover: a cover is ${COVERS.join(' or ')}, not '${String(cover)}'`);
      twin.setCover(cover);
    },
    closeDrawer: () => twin.setDrawer('closed'),
    enter(state) {
      if (!PRINTER_STATES.includes(state))
        throw new Error(`a printer has no state '${state}'; its states are: ${PRINTER_STATES.join(', ')}`);
      twin.enter(state);
    },
    mend: () => twin.mend(),
    restart: () => twin.restart(),
    connect: (trace) => printAtTwin({ twin, ...parts, trace }),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function twinOptions({ columns = 48, rollLines, nearEndLines, drawerOpen, faults = [] }: PrinterOptions) {
  return {
    settings: {
      dots: DOTS[columns],
      ...(rollLines !== undefined && { rollLines }),
      ...(nearEndLines !== undefined && { nearEndLines }),
      ...(drawerOpen !== undefined && { drawerOpenPin: drawerOpen }),
    },
    faults: faults.map(faultOf),
  };
}

const PROBLEMS_KEPT = 100;
const COVERS: readonly PrinterCondition['cover'][] = ['open', 'closed'];
const DOTS = { 48: 576, 42: 512, 32: 384 };

function faultOf(text: string): PrinterFault {
  const parsed = parsePrinterFault(text);
  if ('problem' in parsed)
    throw new Error(`openPrinter: a fault ${parsed.problem}, not '${text.slice(0, 80)}'`);
  return parsed;
}

/** Serves the printer on a port of the loopback address. */
async function listen(twin: EscposPrinter, { log, port: asked }: { log: Log; port: number }) {
  const connections = new Set<{ close(): Promise<void> }>();
  const server: TcpServer = createServer({ noDelay: true }, (socket) => {
    const port = streamPort('tcp://127.0.0.1', socket, () => connections.delete(port));
    connections.add(port);
    createEscposTwin({ printer: twin, port, log });
  });
  const host = '127.0.0.1';
  const { port } = await listenOn(server, { host, port: asked });
  return {
    address: { host, port },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) await connection.close();
      await closed;
    },
  };
}
