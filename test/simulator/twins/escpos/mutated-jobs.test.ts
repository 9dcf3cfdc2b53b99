import { expect, test } from 'vitest';
import { concat } from '../../../../protocol/emv/tlv.ts';
import { fraction, seededRandom } from '../../../../protocol/ids.ts';
import { paperSvg } from '../../../../simulator/twins/escpos/paper-svg.ts';
import { paperText } from '../../../../simulator/twins/escpos/paper-text.ts';
import { countFrom } from '../../../kit/count-from.ts';
import { mutate, MUTATIONS } from '../../../kit/lines/mutations.ts';
import { bytesOf, openPrinter } from './printer-fixture.ts';

/** Jobs: some dozens, or 5,000 by `npm run prove:lines`. */
const JOBS = countFrom('LINE_PAYMENTS', 100);
const RUN = process.env['SEED'] ?? '';
const ONE = process.env['LINE_SEED'];
const LIMIT_MS = 3_600_000;

/** The parts of a receipt, as programs send them: text, sizes, codes, a picture, status requests, a cut. */
const PARTS = [
  ['1B40', '1B7413', '1B6101', "1D2111 'SHOP' 0A", '1D2100 1B6100'],
  ["'Coffee' 1B24F000 '3.20' 0A", "1B4501 'TOTAL' 1B4500 0A"],
  ['1D286B04003141320 01D286B0300314306'.replaceAll(' ', ''), "1D286B0900315030 'https:' 1D286B0300315130"],
  ["1D6802 1D6B49 0A '{BTB-12345'", '0A'],
  ['1D763000 0200 0800', '0102030405060708090A0B0C0D0E0F10', '0A'],
  ['100401', '1D7201', '1D4901', '1D61FF'],
  ['1B70001919', "'thank you' 0A 0A", '1B6404', '1D564100'],
].map((pieces) => bytesOf(...pieces));

const RIGHT = bytesOf('1B40', "'right' 0A", '1D564100');

/** Prints a job with a mutated part, then a right one on a new connection. */
async function printMutated(seed: string): Promise<{ isMutated: boolean; wrong: string[] }> {
  const random = seededRandom(`job ${seed}`);
  const below = (count: number) => Math.floor(fraction(random) * count);
  const { clock, printer, host, connect } = openPrinter({ settings: { rollLines: 1_000_000 } });
  const mutation = MUTATIONS[below(MUTATIONS.length)]!;
  // The last part has none behind it that could come first.
  const place = below(PARTS.length - 1);
  const sent: Uint8Array[] = [];
  const startMs = clock.nowMs();
  let cut = false;
  let held: Uint8Array | undefined;
  const write = async (bytes: Uint8Array) => {
    sent.push(bytes);
    await host.write(bytes);
  };
  for (const [index, part] of PARTS.entries()) {
    const parts = { random, form: {}, earlier: PARTS.slice(0, index) };
    for (const piece of index === place ? mutate(mutation, part, parts) : [{ bytes: part }]) {
      cut ||= piece === 'cut';
      if (cut || piece === 'cut') break;
      if (piece.afterMs) await clock.advance(piece.afterMs);
      if (index === place && mutation === 'out of order') held = piece.bytes;
      else await write(piece.bytes);
    }
    if (index > place && held) await write(held);
    if (index > place) held = undefined;
  }
  const isMutated = clock.nowMs() > startMs || Buffer.compare(concat(...sent), concat(...PARTS)) !== 0;
  await clock.advance(60_000);
  await host.close();
  await clock.advance(1_000);
  // A person switches the printer off and on, which ends what it waits for.
  printer.restart();
  printer.mend();
  printer.endReceipt('torn off');
  await clock.advance(60_000);
  const next = connect();
  await next.host.write(RIGHT);
  await clock.advance(60_000);
  const papers = [...printer.receipts, printer.paper];
  const wrong: string[] = [];
  if (!paperText(printer.receipts.at(-1)!).includes('right')) wrong.push('the next receipt is not printed');
  if (papers.some((paper) => /NaN|undefined|Infinity/.test(`${paperText(paper)}${paperSvg(paper)}`)))
    wrong.push('the paper cannot be drawn');
  await next.host.close();
  await clock.advance(60_000);
  if (clock.due.length > 0) wrong.push(`${clock.due.length} timers are left`);
  return { isMutated, wrong: wrong.map((rule) => `${seed}, ${mutation} in part ${place}: ${rule}`) };
}

test(
  'ESC/POS printer: whatever becomes of a part of a job, the next one is printed, and nothing is due in the end',
  async () => {
    const seeds = ONE === undefined ? Array.from({ length: JOBS }, (_, number) => `${RUN}${number}`) : [ONE];
    const jobs = [];
    for (const seed of seeds) jobs.push(await printMutated(seed));
    expect(jobs.flatMap(({ wrong }) => wrong)).toEqual([]);
    // By chance a mutation leaves a part as it is.
    expect(jobs.filter(({ isMutated }) => isMutated).length).toBeGreaterThan(0.9 * jobs.length - 1);
  },
  LIMIT_MS,
);
