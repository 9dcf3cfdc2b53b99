import { expect, test } from 'vitest';
import { EscposPrinter } from '../../../agent/printers/escpos-printer.ts';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { Fault } from '../../../protocol/failures.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { silentLog } from '../../../protocol/log.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';

/** Answers to `DLE EOT` 1 to 4, from the table of the printer's maker. */
const READY = [0x12, 0x12, 0x12, 0x12];
const NO_PAPER = [0x1a, 0x32, 0x12, 0x7e];
const COVER_OPEN = [0x1a, 0x16, 0x12, 0x12];
const CUTTER_STUCK = [0x1a, 0x52, 0x1a, 0x12];
const NEAR_END = [0x12, 0x12, 0x12, 0x1e];

/** Asks for an answer in turn. */
const IN_TURN = '<1D>r<01>';

/** Bytes as text, with control letters in hexadecimal: `<1B>@`. */
const shown = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) =>
    byte < 0x20 ? `<${toHex(Uint8Array.of(byte))}>` : String.fromCharCode(byte),
  ).join('');

/** A printer of which a test says what it answers, and a terminal that prints at it. */
function openScene() {
  const clock = new VirtualClock(0);
  const device = {
    state: READY,
    isSilent: false,
    isPresent: true,
    /** Whether it answers what is asked in turn: it has printed all before. */
    prints: true,
    /** Whether it answers two questions at once: that of an earlier line too. */
    isLate: false,
    sent: '',
    recoveries: 0,
    line: undefined as BytePort | undefined,
  };
  const troubles: (string | undefined)[] = [];
  const answer = (bytes: Uint8Array) => {
    const text = shown(bytes);
    if (device.isSilent) return;
    const asked = /^<10><04><0([1-4])>$/.exec(text);
    if (asked) return void device.line?.write(Uint8Array.of(device.state[Number(asked[1]) - 1]!));
    if (text === '<10><05><01>') return void (device.recoveries += 1);
    device.sent += text;
    if (text === IN_TURN && device.isLate) {
      for (const lateMs of [0, 100])
        clock.at(clock.nowMs() + lateMs, () => void device.line?.write(Uint8Array.of(0)));
    } else if (device.prints && text.endsWith(IN_TURN)) void device.line?.write(Uint8Array.of(0));
  };
  const printer = new EscposPrinter({
    async open() {
      if (!device.isPresent) throw new Fault('reader', 'there is no printer');
      const [ours, theirs] = bytePipe({ clock });
      device.line = theirs;
      theirs.onData(answer);
      return ours;
    },
    line: { baudRate: 9_600 },
    paper: { columns: 32, codePage: 'cp437' },
    clock,
    log: silentLog,
    onTrouble: (trouble) => void troubles.push(trouble),
  });
  return {
    clock,
    device,
    troubles,
    printer,
    /** Prints and returns the outcome, or the reason why not, with the time that it took. */
    async print(text: string, meanwhile: () => void = () => {}) {
      let outcome: string | undefined;
      const startMs = clock.nowMs();
      printer.print('merchantCopy', text).then(
        (done) => (outcome = done),
        (error: unknown) => (outcome = String(error)),
      );
      await clock.advance(100);
      meanwhile();
      while (outcome === undefined) await clock.advance(100);
      return { outcome, ms: clock.nowMs() - startMs };
    },
    copies: () => [...device.sent.matchAll(/copy \d/g)].map(String),
  };
}

test('ESC/POS printer: prints a copy once it says that it can, and waits until it says that it has', async () => {
  const { clock, device, print, copies } = openScene();
  device.prints = false;
  const printed = await print('copy 1', () =>
    clock.at(clock.nowMs() + 3_000, () => void device.line!.write(Uint8Array.of(0))),
  );
  expect(printed.outcome).toBe('printed');
  expect(printed.ms).toBeGreaterThan(3_000);
  expect(copies()).toEqual(['copy 1']);
});

test.each([
  ['no paper', NO_PAPER, 'noPaper'],
  ['an open cover', COVER_OPEN, 'Fault: the cover is open'],
  ['a stuck cutter', CUTTER_STUCK, 'Fault: the cutter is stuck'],
])(
  'ESC/POS printer: with %s nothing is sent, and the copy fails before the terminal skips it',
  async (_n, state, why) => {
    const { device, print } = openScene();
    device.state = state;
    const { outcome, ms } = await print('copy 1');
    expect(outcome).toBe(why);
    expect(ms).toBeGreaterThan(15_000);
    expect(ms).toBeLessThan(20_000);
    expect(device.sent).toBe('');
  },
);

test('ESC/POS printer: waits for paper, then prints the copy', async () => {
  const { clock, device, print, copies, troubles } = openScene();
  device.state = NO_PAPER;
  const printed = await print('copy 1', () =>
    clock.at(clock.nowMs() + 5_000, () => (device.state = NEAR_END)),
  );
  expect(printed.outcome).toBe('printed');
  expect(copies()).toEqual(['copy 1']);
  expect(troubles).toEqual(['there is no paper', 'the paper is near its end']);
});

test('ESC/POS printer: one that is stuck is told to go on every five seconds', async () => {
  const { device, print } = openScene();
  device.state = CUTTER_STUCK;
  await print('copy 1');
  expect(device.recoveries).toBe(4);
});

test('ESC/POS printer: a copy that stops in the middle is not sent again, and the next one comes after its rest', async () => {
  const { device, print, copies } = openScene();
  device.prints = false;
  const first = await print('copy 1', () => (device.state = NO_PAPER));
  expect(first.outcome).toBe(
    'Fault: the printer stopped in a copy, of which the rest may come later: there is no paper',
  );
  device.state = READY;
  device.prints = true;
  expect(await print('copy 2')).toMatchObject({ outcome: 'printed' });
  expect(copies()).toEqual(['copy 1', 'copy 2']);
  // It asked in turn by itself before it sent the second.
  expect(device.sent).toMatch(/copy 1.*<1D>r<01><1D>r<01>.*copy 2.*<1D>r<01>$/);
});

test('ESC/POS printer: a copy whose time ends while it waits for the copy before it is not sent', async () => {
  const { clock, device, printer, print, copies } = openScene();
  device.state = NO_PAPER;
  const second: unknown[] = [];
  const first = await print('copy 1', () => {
    printer.print('customerCopy', 'copy 2').then(
      (outcome) => second.push(outcome),
      (error: unknown) => second.push(String(error)),
    );
  });
  device.state = READY;
  await clock.advance(20_000);
  expect([first.outcome, ...second]).toEqual([
    'noPaper',
    'Fault: the printer was ready too late for the copy',
  ]);
  expect(copies()).toEqual([]);
});

test('ESC/POS printer: a copy is not sent where the rest of the one before it comes out as its time ends', async () => {
  const { clock, device, print, copies } = openScene();
  device.prints = false;
  await print('copy 1');
  const startMs = clock.nowMs();
  const second = await print('copy 2', () =>
    clock.at(startMs + 17_900, () => void device.line!.write(Uint8Array.of(0))),
  );
  expect(second.outcome).toBe('Fault: the printer was ready too late for the copy');
  expect(copies()).toEqual(['copy 1']);
});

test('ESC/POS printer: a late answer to the copy before is not taken for one to the next', async () => {
  const { device, print } = openScene();
  device.prints = false;
  await print('copy 1');
  device.isLate = true;
  expect((await print('copy 2')).outcome).toBe(
    'Fault: the printer stopped in a copy, of which the rest may come later: it is slow',
  );
  expect(device.sent).toMatch(/copy 2/);
});

test('ESC/POS printer: a line that is cut in a copy fails it at once, and its part is cut off before the next', async () => {
  const { device, print, copies } = openScene();
  device.prints = false;
  const cut = await print('copy 1', () => void device.line!.close());
  expect(cut.outcome).toMatch(
    /^Fault: the line to the printer was cut in the copy, of which a part may be out/,
  );
  expect(cut.ms).toBeLessThan(1_000);
  device.prints = true;
  expect(await print('copy 2')).toMatchObject({ outcome: 'printed' });
  expect(copies()).toEqual(['copy 1', 'copy 2']);
  expect(device.sent).toMatch(/<1B>@<1D>VB<00><1B>@.*copy 2/);
});

test('ESC/POS printer: one that is not there is tried for five seconds, and used once it is there', async () => {
  const { clock, device, print, copies } = openScene();
  device.isPresent = false;
  const missing = await print('copy 1');
  expect(missing.outcome).toBe('Fault: there is no printer');
  expect(missing.ms).toBeLessThan(6_500);
  const late = await print('copy 2', () => clock.at(clock.nowMs() + 3_000, () => (device.isPresent = true)));
  expect(late.outcome).toBe('printed');
  expect(copies()).toEqual(['copy 2']);
});

test('ESC/POS printer: one that does not answer gets no copy', async () => {
  const { device, print } = openScene();
  device.isSilent = true;
  const { outcome, ms } = await print('copy 1');
  expect(outcome).toBe('Fault: the printer does not answer');
  expect(ms).toBeLessThan(8_000);
  expect(device.sent).toBe('');
});

test('ESC/POS printer: a copy that waits ends when the printer is closed', async () => {
  const { clock, device, printer, print } = openScene();
  device.state = NO_PAPER;
  const { outcome, ms } = await print('copy 1', () => void printer.close());
  expect(outcome).toBe('noPaper');
  expect(ms).toBeLessThan(2_000);
  await clock.advance(20_000);
  expect(device.sent).toBe('');
});
