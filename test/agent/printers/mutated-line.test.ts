import { expect, test } from 'vitest';
import { EscposPrinter } from '../../../agent/printers/escpos-printer.ts';
import { PRINT_COPY_MS } from '../../../agent/lifecycle/deadlines.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { createEscposTwin } from '../../../simulator/twins/escpos.twin.ts';
import { paperText } from '../../../simulator/twins/escpos/paper-text.ts';
import { EscposPrinter as PrinterTwin } from '../../../simulator/twins/escpos/printer.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { countFrom } from '../../kit/count-from.ts';
import { createMutatedLine, type MutationPlan } from '../../kit/lines/mutated-line.ts';
import { planOf } from '../../kit/lines/mutated-payment.ts';

/** Receipts for each direction: some dozens, or 5,000 by `npm run prove:lines`. */
const RECEIPTS = countFrom('LINE_PAYMENTS', 100);
const RUN = process.env['SEED'] ?? '';
const ONE = process.env['LINE_SEED'];
const LIMIT_MS = 3_600_000;
const FAILURES_MAX = 10;

/** Prints two copies at a twin over a line that mutates messages, then a third over a right line. */
async function printOverMutatedLine(seed: string, plan: MutationPlan | undefined) {
  const clock = new VirtualClock(0);
  // An answer of a printer is one byte without a check: the connection lets no damaged one through.
  const form = { reliesOnConnection: true } as const;
  const line = createMutatedLine({ clock, random: seededRandom(`line ${seed}`), form, plan });
  const twin = new PrinterTwin({ clock });
  const printer = new EscposPrinter({
    async open() {
      const [ours, device] = bytePipe({ clock, latencyMs: 1 });
      createEscposTwin({ printer: twin, port: device, log: silentLog });
      return line.wrap(ours);
    },
    line: { baudRate: 9_600 },
    paper: { columns: 32, codePage: 'cp437' },
    clock,
    log: silentLog,
  });
  const broken: string[] = [];
  const print = async (name: string) => {
    let told: string | undefined;
    printer.print('merchantCopy', `SHOP\n${name}\nTOTAL 17.42`).then(
      (outcome) => (told = outcome),
      (error: unknown) => (told = messageOf(error)),
    );
    for (let ms = 0; ms < PRINT_COPY_MS + 5_000 && told === undefined; ms += 100) await clock.advance(100);
    if (told === undefined) broken.push(`${name}: nothing is told when the terminal has skipped it`);
    return told;
  };
  const comesOut = (name: string) =>
    [...twin.receipts, twin.paper].filter((paper) => paperText(paper).includes(name)).length;
  const told = new Map([
    ['first', await print('first')],
    ['second', await print('second')],
  ]);
  await clock.advance(600_000);
  for (const [name, outcome] of line.forged ? [] : told) {
    if (outcome === 'printed' && comesOut(name) !== 1)
      broken.push(`${name}: told as printed, and it is out ${comesOut(name)} times`);
    if (comesOut(name) > 1) broken.push(`${name}: it is out ${comesOut(name)} times`);
  }
  const counts = { ...line.counts };
  line.stop();
  // A person switches the printer off and on, which ends what it waits for.
  twin.restart();
  twin.mend();
  const third = await print('third');
  if (third !== 'printed') broken.push(`the next copy over a right line: ${third}`);
  await printer.close();
  await clock.advance(600_000);
  if (clock.due.length > 0) broken.push(`${clock.due.length} timers are left`);
  return { broken, counts, struck: line.struck, told: [...told.values()] };
}

test.each([
  { name: 'of the printer', direction: 'to the till' as const },
  { name: 'to the printer', direction: 'to the terminal' as const },
])(
  'ESC/POS driver: whatever becomes of messages $name, each copy ends, is out where it is told as printed, and the next is printed',
  async ({ direction }) => {
    const startMs = performance.now();
    const right = await printOverMutatedLine('right', undefined);
    expect(right).toMatchObject({ broken: [], told: ['printed', 'printed'] });
    const seeds =
      ONE === undefined ? Array.from({ length: RECEIPTS }, (_, number) => `${RUN}${number}`) : [ONE];
    const failures: object[] = [];
    let struck = 0;
    let printed = 0;
    for (const seed of seeds) {
      const plan = planOf(seed, direction, right.counts[direction]);
      const { broken, told, ...printing } = await printOverMutatedLine(seed, plan);
      if (printing.struck > 0) struck += 1;
      if (told.every((outcome) => outcome === 'printed')) printed += 1;
      const { mutation, places } = plan;
      if (broken.length > 0) failures.push({ seed, broken, told, mutation, places: places.slice(0, 2) });
      if (failures.length === FAILURES_MAX) break;
    }
    if (process.env['LINE_PAYMENTS'] !== undefined) {
      const seconds = Math.round((performance.now() - startMs) / 1_000);
      const row = { line: 'ESC/POS driver', direction, receipts: seeds.length, struck, printed, seconds };
      process.stdout.write(`${JSON.stringify(row)}\n`);
    }
    expect(failures).toEqual([]);
    if (ONE !== undefined) return;
    expect(printed).toBeGreaterThan(0);
    expect(struck).toBeGreaterThan(0.9 * seeds.length);
  },
  LIMIT_MS,
);
