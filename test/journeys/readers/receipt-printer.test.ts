import { afterEach, expect, test } from 'vitest';
import { EscposPrinter } from '../../../agent/printers/escpos-printer.ts';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { Fault } from '../../../protocol/failures.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createEscposTwin } from '../../../simulator/twins/escpos.twin.ts';
import { paperText } from '../../../simulator/twins/escpos/paper-text.ts';
import { EscposPrinter as PrinterTwin } from '../../../simulator/twins/escpos/printer.ts';
import { parsePrinterFault, type PrinterFault } from '../../../simulator/twins/escpos/printer-faults.ts';
import { openWithWireFaults } from '../../../simulator/twins/wire-faults.ts';
import { openPage } from '../../server/dashboard/open-page.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

interface PrinterOptions {
  /** What happens to the printer, such as `paper-out after cut 1`. */
  fault?: string;
  lineFaults?: { seed: string };
  /** The line is cut once it has passed on so many bytes to the printer. */
  cutAfter?: number;
}

/** A terminal with a reader that prints at the twin of a receipt printer. */
async function openShop({ fault, lineFaults, cutAfter }: PrinterOptions = {}) {
  let twin!: PrinterTwin;
  let line: BytePort | undefined;
  let isPlugged = true;
  let bytesToCut = cutAfter ?? Infinity;
  const troubles: (string | undefined)[] = [];
  shop = await openReaderFixture({
    driver: 'pn532',
    createPrinter({ clock, log, trace }) {
      twin = new PrinterTwin({ clock, faults: fault === undefined ? [] : [faultOf(fault)] });
      const open = async (): Promise<BytePort> => {
        if (!isPlugged) throw new Fault('reader', 'there is no printer');
        const [ours, device] = bytePipe({ clock });
        line = device;
        createEscposTwin({ printer: twin, port: device, log: silentLog });
        return {
          ...ours,
          async write(bytes) {
            const passed = bytes.subarray(0, bytesToCut);
            bytesToCut -= passed.length;
            await ours.write(passed);
            if (bytesToCut > 0) return;
            bytesToCut = Infinity;
            await device.close();
          },
        };
      };
      return new EscposPrinter({
        open: lineFaults ? openWithWireFaults(open, { clock, ...lineFaults }) : open,
        line: { baudRate: 9_600 },
        paper: { columns: 48, codePage: 'cp858' },
        clock,
        log,
        trace,
        onTrouble: (trouble) => void troubles.push(trouble),
      });
    },
  });
  return {
    twin,
    troubles,
    /** The copies that came out, each by its last line but one. */
    copies: () => twin.receipts.map((receipt) => /(MERCHANT|CUSTOMER) COPY/.exec(paperText(receipt))?.[0]),
    async pull() {
      isPlugged = false;
      await line?.close();
    },
    plugIn: () => void (isPlugged = true),
    /** Waits until the printer has that trouble. */
    isTroubled: (trouble: string) => shop.soon(trouble, () => troubles.at(-1) === trouble),
    /** Waits for the end of the action. Returns its status, and what became of each copy. */
    async ended() {
      const { status, transaction } = await shop.ended(60_000);
      const { merchantCopy, customerCopy } = transaction.receiptDetail;
      return [status, merchantCopy.status, customerCopy.status];
    },
  };
}

function faultOf(text: string): PrinterFault {
  const parsed = parsePrinterFault(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

const pay = () => shop.pays(1_742, 'visa-contactless');
const BOTH = ['MERCHANT COPY', 'CUSTOMER COPY'];
const PRINTED = ['Succeeded', 'NotRequired', 'NotRequired'];

test('receipt printer: prints both copies of a payment, each cut off, and the trace has its bytes without a card number', async () => {
  const { twin, copies, ended, troubles } = await openShop();
  const { body } = await pay();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(BOTH);
  expect(twin.receipts.map(({ end }) => end)).toEqual(['partial cut', 'partial cut']);
  const text = paperText(twin.receipts[0]!);
  expect(text).toMatch(/^ {8}VISA +\*{12}\d{4}$/m);
  expect(text).toMatch(/^ {8}AMOUNT +17\.42 GBP$/m);
  expect(troubles).toEqual([]);
  const page = await openPage(shop.world, { kind: 'action', id: body.action.id });
  const { entries } = page.last('timeline')!;
  const frames = entries
    .filter(({ title }) => title.startsWith('receipt printer'))
    .map(({ kind, title, bytes }) => `${kind} ${title} ${bytes}`);
  expect(frames.slice(0, 2)).toEqual([
    'serial.out receipt printer, asks whether it is online 100401',
    'serial.in receipt printer, it is online 16',
  ]);
  // The receipt, from the instruction that sets the printer up, with what is masked on it.
  expect(frames.find((frame) => frame.includes('1B401C2E1B7413'))).toContain('2A2A2A2A2A2A2A2A2A2A2A2A');
});

test('receipt printer: the paper ends between the copies, and the second comes out once there is paper', async () => {
  const { twin, copies, isTroubled, ended, troubles } = await openShop({ fault: 'paper-out after cut 1' });
  await pay();
  await isTroubled('there is no paper');
  await shop.world.advance({ seconds: 10 });
  expect(copies()).toEqual(['MERCHANT COPY']);
  twin.loadPaper();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(BOTH);
  expect(troubles).toEqual(['there is no paper', undefined]);
});

test('receipt printer: one that waits for paper fills no timeline with the same answers', async () => {
  const { twin, isTroubled, ended } = await openShop({ fault: 'paper-out after cut 1' });
  const { body } = await pay();
  await isTroubled('there is no paper');
  const page = await openPage(shop.world, { kind: 'action', id: body.action.id });
  const shown = () =>
    page.last('timeline')!.entries.filter(({ title }) => title.startsWith('receipt printer')).length;
  const before = shown();
  await shop.world.advance({ seconds: 10 });
  page.sendText({ type: 'watch', target: { kind: 'action', id: body.action.id } });
  await shop.world.advance({ seconds: 1 });
  expect(shown()).toBe(before);
  twin.loadPaper();
  expect(await ended()).toEqual(PRINTED);
});

test('receipt printer: without paper the second copy fails, is captured all the same, and does not come out later', async () => {
  const { twin, copies, ended } = await openShop({ fault: 'paper-out after cut 1' });
  await pay();
  expect(await ended()).toEqual(['Succeeded', 'NotRequired', 'Failed']);
  twin.loadPaper();
  await shop.world.advance({ minutes: 1 });
  expect(copies()).toEqual(['MERCHANT COPY']);
});

test('receipt printer: the paper ends in a copy, and its rest comes out once there is paper', async () => {
  const { twin, copies, isTroubled, ended } = await openShop({ fault: 'paper-out after line 5' });
  await pay();
  await isTroubled('there is no paper');
  twin.loadPaper();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(BOTH);
});

test('receipt printer: a copy that stopped in the middle comes out once, before those of the next payment', async () => {
  const { twin, copies, ended } = await openShop({ fault: 'paper-out after line 5' });
  await pay();
  expect(await ended()).toEqual(['Succeeded', 'Failed', 'Failed']);
  twin.loadPaper();
  shop.terminal.tray.remove();
  await pay();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(['MERCHANT COPY', ...BOTH]);
});

test.each([
  ['cover-open after cut 1', 'the cover is open'],
  ['cover-open after line 7', 'the cover is open'],
  ['head-hot after line 7', 'the head is too hot: it cools down by itself'],
])('receipt printer: %s stops it, and it goes on once that is mended', async (fault, trouble) => {
  const { twin, copies, isTroubled, ended } = await openShop({ fault });
  await pay();
  await isTroubled(trouble);
  twin.mend();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(BOTH);
});

test('receipt printer: a stuck cutter is told to go on, and prints the second copy', async () => {
  const { copies, ended, troubles } = await openShop({ fault: 'cutter-error after cut 1' });
  await pay();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(BOTH);
  expect(troubles).toEqual(['the cutter is stuck', undefined]);
});

test('receipt printer: one that is broken prints nothing, and the payment is captured', async () => {
  const { copies, ended } = await openShop({ fault: 'unrecoverable-error after cut 1' });
  await pay();
  expect(await ended()).toEqual(['Succeeded', 'NotRequired', 'Failed']);
  expect(copies()).toEqual(['MERCHANT COPY']);
});

test('receipt printer: one that is unplugged fails both copies, and prints again once it is back', async () => {
  const { pull, plugIn, copies, ended } = await openShop();
  await pull();
  await pay();
  expect(await ended()).toEqual(['Succeeded', 'Failed', 'Failed']);
  plugIn();
  shop.terminal.tray.remove();
  await pay();
  expect(await ended()).toEqual(PRINTED);
  expect(copies()).toEqual(BOTH);
});

/** Of each copy none or one came out whole. */
const isOnceAtMost = (copies: (string | undefined)[]) =>
  BOTH.every((copy) => copies.filter((one) => one === copy).length <= 1);

test.each([1, 5, 12, 20, 200, 640, 700, 760, 900])(
  'receipt printer: a line that is cut after %i bytes prints no copy twice, and the next payment prints both',
  async (cutAfter) => {
    const { twin, copies, ended } = await openShop({ cutAfter });
    await pay();
    const [status] = await ended();
    expect(status).toBe('Succeeded');
    expect(copies()).toSatisfy(isOnceAtMost);
    const before = twin.receipts.length;
    shop.terminal.tray.remove();
    await pay();
    expect(await ended()).toEqual(PRINTED);
    expect(copies().slice(before)).toEqual(BOTH);
  },
);

test.each(['a', 'b', 'c', 'd', 'e', 'f'])(
  'receipt printer: on a faulty line (seed %s) a payment is captured, and no copy comes out twice',
  async (seed) => {
    const { copies, ended } = await openShop({ lineFaults: { seed } });
    await pay();
    const [status] = await ended();
    expect(status).toBe('Succeeded');
    expect(copies()).toSatisfy(isOnceAtMost);
  },
);
