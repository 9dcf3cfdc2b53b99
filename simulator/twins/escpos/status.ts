/** What has stopped a printer besides paper and cover. */
export type PrinterError = 'none' | 'cutter' | 'mechanical' | 'unrecoverable' | 'head hot';

/** What a printer reports of itself. */
export interface PrinterCondition {
  paper: 'enough' | 'near end' | 'out';
  cover: 'closed' | 'open';
  error: PrinterError;
  /** The level of the pin that the switch of the drawer is connected to. */
  drawerPin: 'high' | 'low';
}

/** Whether it prints. */
export function isOnline({ paper, cover, error }: PrinterCondition): boolean {
  return paper !== 'out' && cover === 'closed' && error === 'none';
}

/** Returns in words how a printer is: its paper, its cover, and what has stopped it. */
export function describeCondition({
  paper,
  cover,
  error,
}: Pick<PrinterCondition, 'paper' | 'cover' | 'error'>): string {
  const roll = { enough: 'paper enough', 'near end': 'paper near its end', out: 'paper out' }[paper];
  return [roll, `cover ${cover}`, ...(error === 'none' ? [] : [`error: ${error}`])].join(', ');
}

/** Returns in words how a printer is, with what is left of its roll, and its drawer. */
export function describePrinter({
  linesLeft,
  drawer,
  ...condition
}: Pick<PrinterCondition, 'paper' | 'cover' | 'error'> & {
  linesLeft: number;
  drawer: 'open' | 'closed';
}): string {
  return `${describeCondition(condition)}, ${linesLeft} lines left, drawer ${drawer}`;
}

export function isSameCondition(one: PrinterCondition, other: PrinterCondition): boolean {
  return (
    one.paper === other.paper &&
    one.cover === other.cover &&
    one.error === other.error &&
    one.drawerPin === other.drawerPin
  );
}

/** Returns the sum of the bits whose condition holds. */
function bits(...set: [boolean, number][]): number {
  return set.reduce((sum, [holds, bit]) => (holds ? sum | bit : sum), 0);
}

// Bits 1 and 4 are always set: so a program knows the reply to `DLE EOT`.
const EOT = 0b0001_0010;

/** Returns the reply to `DLE EOT`, or undefined for a number that asks for nothing. */
export function realTimeStatus(number: number, condition: PrinterCondition): Uint8Array | undefined {
  const { paper, cover, error, drawerPin } = condition;
  // Ink and the reader of cheques (7 and 8) are not there.
  const status: Record<number, number> = {
    1: bits([drawerPin === 'high', 0x04], [!isOnline(condition), 0x08]),
    2: bits([cover === 'open', 0x04], [paper === 'out', 0x20], [error !== 'none', 0x40]),
    3: errorBits(error),
    4: bits([paper !== 'enough', 0x0c], [paper === 'out', 0x60]),
    7: 0,
    8: 0,
  };
  const reply = status[number];
  return reply === undefined ? undefined : Uint8Array.of(EOT | reply);
}

const errorBits = (error: PrinterError) =>
  bits(
    [error === 'mechanical', 0x04],
    [error === 'cutter', 0x08],
    [error === 'unrecoverable', 0x20],
    [error === 'head hot', 0x40],
  );

const paperBits = (paper: PrinterCondition['paper']) =>
  bits([paper !== 'enough', 0x03], [paper === 'out', 0x0c]);

/** Returns the reply to `GS r`, or undefined for a number that asks for nothing. */
export function queuedStatus(number: number, { paper, drawerPin }: PrinterCondition): Uint8Array | undefined {
  if (number === 1) return Uint8Array.of(paperBits(paper));
  if (number === 2) return Uint8Array.of(bits([drawerPin === 'high', 0x01]));
  return undefined;
}

/** Kinds of changes that are reported by themselves, as bits of `GS a`. */
const DRAWER = 0x01;
const ONLINE = 0x02;
const ERROR = 0x04;
const PAPER = 0x08;

/** Returns the four bytes that report the condition by themselves. */
export function automaticStatus(condition: PrinterCondition): Uint8Array {
  const { paper, cover, error, drawerPin } = condition;
  return Uint8Array.of(
    0x10 | bits([drawerPin === 'high', 0x04], [!isOnline(condition), 0x08], [cover === 'open', 0x20]),
    errorBits(error),
    paperBits(paper),
    0x0f,
  );
}

/** Whether a change is of one of the kinds that a program has chosen. */
export function isReported(kinds: number, before: PrinterCondition, now: PrinterCondition): boolean {
  const changed = bits(
    [before.drawerPin !== now.drawerPin, DRAWER],
    [isOnline(before) !== isOnline(now) || before.cover !== now.cover, ONLINE],
    [before.error !== now.error, ERROR],
    [before.paper !== now.paper, PAPER],
  );
  return (kinds & changed) !== 0;
}

const TEXTS: Record<number, string> = {
  65: '1.00 ESC/POS',
  66: 'EPSON',
  67: 'TM-T88V',
  68: 'TAPBENCH1',
  69: '',
};
const CUTTER = 0x02;
const NUMBERS: Record<number, number> = { 1: 0x20, 2: CUTTER, 3: 0x01 };

/** Returns the reply to `GS I`, or undefined for a number that asks for nothing. */
export function identification(number: number): Uint8Array | undefined {
  const asked = number >= 0x31 && number <= 0x33 ? number - 0x30 : number;
  const text = TEXTS[asked];
  if (text !== undefined) return Uint8Array.of(0x5f, ...Buffer.from(text, 'ascii'), 0);
  const value = NUMBERS[asked];
  return value === undefined ? undefined : Uint8Array.of(value);
}
