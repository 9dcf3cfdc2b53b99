import type { BytePort } from '../agent/readers/byte-port.ts';
import { SystemClock } from '../protocol/clock.ts';
import { silentLog } from '../protocol/log.ts';
import { createEscposTwin } from '../simulator/twins/escpos.twin.ts';
import { paperSvg } from '../simulator/twins/escpos/paper-svg.ts';
import { paperText } from '../simulator/twins/escpos/paper-text.ts';
import { EscposPrinter } from '../simulator/twins/escpos/printer.ts';
import type { BenchOptions, Result } from './report.ts';
import { alternate, median, spreadOf, timeEach } from './measure.ts';

const LINES = 60;
const AIM_MS = 10;
const RECEIPTS = 50;

/** Measures how long the twin of a receipt printer takes for a receipt, beside decoding its bytes as text. */
export async function benchReceipt({ quick }: BenchOptions): Promise<Result[]> {
  const job = receiptJob();
  const print = startPrinter();
  const taken = await alternate(
    quick ? 3 : 15,
    async () => median(await timeEach(RECEIPTS, async () => void job.toString('latin1').split('\n'))),
    async () => median(await timeEach(RECEIPTS, async () => print(job))),
  );
  const ours = median(taken.map((round) => round.ours));
  return [
    {
      name: `receipt: ${LINES} lines at the twin of a printer`,
      unit: 'ms',
      ours,
      bare: median(taken.map(({ bare }) => bare)),
      ratio: spreadOf(taken.map((round) => round.ours / round.bare)),
      aim: `under ${AIM_MS} ms`,
      met: ours < AIM_MS,
      details: [
        `${LINES} lines with columns, bold and enlarged letters, a QR code, a bar code and a cut; rendered as text and as SVG`,
        `median of ${RECEIPTS} receipts, ${taken.length} rounds`,
        'bare: the bytes decoded as text and split at line feeds',
      ],
    },
  ];
}

/** Returns a function that prints a job and renders the receipt. */
function startPrinter(): (job: Uint8Array) => void {
  const printer = new EscposPrinter({ clock: new SystemClock(), settings: { rollLines: 1_000_000_000 } });
  let hear: (bytes: Uint8Array) => void = () => {};
  const port: BytePort = {
    path: 'bench',
    write: async () => {},
    onData: (listener) => void (hear = listener),
    onClose: () => {},
    close: async () => {},
  };
  createEscposTwin({ printer, port, log: silentLog });
  return (job) => {
    const before = printer.receipts.at(-1);
    hear(job);
    const receipt = printer.receipts.at(-1);
    if (!receipt || receipt === before) throw new Error('the receipt was not cut');
    paperText(receipt);
    paperSvg(receipt);
  };
}

function receiptJob(): Buffer {
  const line = (index: number) => [
    index % 4 === 0 ? '\x1bE\x01' : '\x1bE\x00',
    `${`Item ${index}`.padEnd(40)}${(index * 1.25).toFixed(2).padStart(8)}\n`,
  ];
  const lines = Array.from({ length: LINES }, (_, index) => line(index)).flat();
  const qr =
    '\x1d(k\x04\x001A2\x00\x1d(k\x03\x001C\x04\x1d(k\x03\x001E1\x1d(k\x0e\x001P0https://x/1\x1d(k\x03\x001Q0';
  const head = '\x1b@\x1ba\x01\x1d!\x11Leeds Shop\n\x1d!\x00\x1ba\x00';
  return Buffer.from([head, ...lines, qr, '\x1dk\x43\x0c400638133393', '\x1dVA\x03'].join(''), 'latin1');
}
