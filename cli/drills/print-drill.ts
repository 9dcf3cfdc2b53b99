import { formatMinor } from '../../protocol/money.ts';
import type { Sink } from '../command-line/command-context.ts';
import { type Colour, coloured, printLine, printTable, sanitizeText } from '../command-line/output.ts';
import { CURRENCY, describeOrder, type Drill } from './drill.ts';
import { DRILLS } from './drills.ts';
import type { DrillResult } from './run-drill.ts';
import type { Step, Teller } from './stage.ts';

const COLUMNS_MAX = 100;
const WHO_COLUMNS = 10;

const COLOURS: Partial<Record<Teller, Colour>> = { fault: 'yellow', terminal: 'blue', books: 'bold' };

export function printDrills(out: Sink): void {
  const rows = Object.entries(DRILLS).map(([name, { title }]) => [name, title]);
  printTable(out, [['DRILL', 'WHAT HAPPENS'], ...rows]);
}

/** Prints what happens in the shop. */
export function printStory(out: Sink, name: string, { title, story }: Drill): void {
  out.write(`${coloured(out, 'bold', `${name}: ${title}`)}\n\n`);
  out.write(`${wrapped(out, story, '')}\n`);
}

export function printIntegration(out: Sink, heading: string): void {
  out.write(`\n${wrapped(out, heading, '', 'bold')}\n\n`);
}

export function printStep(out: Sink, { who, text }: Step): void {
  const name = coloured(out, COLOURS[who] ?? 'dim', who.padEnd(WHO_COLUMNS - 2));
  const lines = wrapped(out, sanitizeText(text), ' '.repeat(WHO_COLUMNS + 2));
  // Not by `printLine`, for which the line breaks would be part of the text.
  out.write(`  ${name}  ${lines.trimStart()}\n`);
}

/** Prints what opens the sandbox, and what somebody is to do with it. */
export function printTask(out: Sink, variables: Record<string, string>, { task }: Drill): void {
  for (const [name, value] of Object.entries(variables)) printLine(out, `  ${name}=${value}`);
  const text = `Use these to ${task}. Set metadata.orderId of the payment session to the order. Press Enter when it is done.`;
  out.write(`\n${wrapped(out, text, '  ')}\n\n`);
}

/** Prints the verdict in words, with the money and the books. */
export function printVerdict(out: Sink, result: DrillResult, sandbox: string): void {
  const { verdict, inconclusive, orders } = result;
  const reason = verdict ?? inconclusive;
  out.write(`\n  ${headingOf(out, result)}\n`);
  if (reason !== null) out.write(`${wrapped(out, sanitizeText(reason), '    ')}\n`);
  const books = orders === undefined ? 'not given, so not judged' : sumOf(orders);
  const facts = [
    ['money', moneyOf(result)],
    ['books', sanitizeText(books)],
    ['see it', `tapbench open --sandbox ${sandbox}`],
  ];
  for (const [name, text] of facts) out.write(`    ${coloured(out, 'dim', name!.padEnd(6))}  ${text}\n`);
}

function headingOf(out: Sink, { verdict, inconclusive }: DrillResult): string {
  if (verdict !== null) return coloured(out, 'red', '✗ money was lost');
  if (inconclusive !== null) return coloured(out, 'yellow', '? inconclusive');
  return coloured(out, 'green', '✓ nothing was lost');
}

/** Prints what a correct integration does, and where it is explained. */
export function printLesson(out: Sink, name: string, { right, page }: Drill): void {
  out.write(`\n${wrapped(out, `A correct integration ${right}.`, '', 'bold')}\n`);
  printLine(out, `Read docs/${page}.`);
  printLine(out, `Try your own: tapbench drill ${name} --wait`);
}

function moneyOf({ taken, refunded, disputed }: DrillResult): string {
  const money = (amount: number) => formatMinor(amount, CURRENCY);
  return [
    `${money(taken)} taken`,
    ...(refunded > 0 ? [`${money(refunded)} refunded`] : []),
    ...(disputed > 0 ? [`${money(disputed)} lost to a dispute`] : []),
  ].join(', ');
}

function sumOf(orders: NonNullable<DrillResult['orders']>): string {
  return orders.length === 0 ? 'nothing' : orders.map(describeOrder).join('; ');
}

/** Breaks a text into lines that fit the screen, each with an indent. */
function wrapped({ display, ...out }: Sink, text: string, indent: string, colour?: Colour): string {
  const columns = Math.min(display?.size().columns ?? COLUMNS_MAX, COLUMNS_MAX) - indent.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= columns) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line]
    .map((each) => indent + (colour ? coloured(out as Sink, colour, each) : each))
    .join('\n');
}
