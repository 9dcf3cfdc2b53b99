import { expect, test } from 'vitest';
import { parsePrinterFault } from '../../../../simulator/twins/escpos/printer-faults.ts';
import { QUEUE_BYTES_MAX } from '../../../../simulator/twins/escpos/print-queue.ts';
import { bytesOf, openPrinter } from './printer-fixture.ts';

const fault = (text: string) => {
  const parsed = parsePrinterFault(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
};

const CUT = '1D5600';

test('ESC/POS printer: each cut ends a receipt', async () => {
  const { send, texts, printer } = openPrinter();
  await send("'merchant' 0A", CUT, "'customer' 0A 1D564103");
  await send("'old form' 0A 1B69");
  expect(texts()).toEqual(['merchant\n', 'customer\n', 'old form\n']);
  expect(printer.receipts.map(({ number, end }) => [number, end])).toEqual([
    [1, 'full cut'],
    [2, 'full cut'],
    [3, 'partial cut'],
  ]);
});

test('ESC/POS printer: a pause, a hand and the end of the connection end a receipt too', async () => {
  const { send, clock, printer, host, texts } = openPrinter();
  await send("'a' 0A");
  await clock.advance(997);
  expect(printer.receipts).toEqual([]);
  await clock.advance(2);
  await send("'b' 0A");
  printer.endReceipt('torn off');
  await send("'c' 0A");
  await host.close();
  await clock.advance(1);
  expect(texts()).toEqual(['a\n', 'b\n', 'c\n']);
  expect(printer.receipts.map(({ end }) => end)).toEqual(['pause', 'torn off', 'disconnected']);
  expect(clock.due).toEqual([]);
});

test('ESC/POS printer: nothing is due while nothing is sent', async () => {
  const { send, clock } = openPrinter();
  expect(clock.due).toEqual([]);
  await send("'a' 0A", CUT);
  await clock.advance(1_000);
  expect(clock.due).toEqual([]);
});

test('ESC/POS printer: stops where the roll ends, and goes on there with a new one', async () => {
  const { send, text, printer, replies } = openPrinter({ settings: { rollLines: 2, nearEndLines: 1 } });
  await send('1D6108');
  expect(await send("'one' 0A 'two' 0A 'three' 0A 'four' 0A")).toBe('1400030F1C000F0F');
  expect(text()).toBe('one\ntwo\n');
  expect(printer.linesLeft).toBe(0);
  printer.loadPaper(1_000);
  expect(await replies()).toBe('1400000F');
  expect(text()).toBe('one\ntwo\nthree\nfour\n');
});

test('ESC/POS printer: the text of a long line goes on where the paper ended', async () => {
  const { send, text, printer } = openPrinter({ settings: { rollLines: 1, dots: 120, nearEndLines: 0 } });
  await send("'abcdefghijKLMNO' 0A");
  expect(text()).toBe('abcdefghij\n');
  printer.loadPaper();
  expect(text()).toBe('abcdefghij\nKLMNO\n');
});

test('ESC/POS printer: an open cover stops it, and real-time requests go on', async () => {
  const { send, text, printer } = openPrinter();
  printer.setCover('open');
  expect(await send("'a' 0A 100402 1014010101")).toBe('16');
  expect(text()).toBe('');
  expect(printer.drawer).toBe('open');
  printer.setCover('closed');
  expect(text()).toBe('a\n');
});

test.each([
  ['01', 'a\nb\n'],
  ['02', 'a\n'],
])('ESC/POS printer: recovers from an error of its cutter by DLE ENQ %s', async (how, printed) => {
  const { send, texts, printer } = openPrinter({ faults: [fault('cutter-error after line 1')] });
  await send("'a' 0A 'b' 0A", CUT);
  expect(printer.condition.error).toBe('cutter');
  await send(`1005${how}`);
  printer.endReceipt('torn off');
  expect(texts().join('')).toBe(printed);
});

test('ESC/POS printer: a request to recover without an error loses nothing that was sent before', async () => {
  const { send, text } = openPrinter();
  await send("'a' 0A 100502 'b' 0A");
  expect(text()).toBe('a\nb\n');
});

test('ESC/POS printer: forgets what waits at a request, and prints what comes next', async () => {
  const { send, printer, text } = openPrinter();
  printer.setCover('open');
  await send("'lost' 0A 10140801030114060208 'next' 0A");
  printer.setCover('closed');
  expect(text()).toBe('next\n');
});

test('ESC/POS printer: the end of one of two connections ends the receipt', async () => {
  const { connect, host, send, clock, printer } = openPrinter();
  const other = connect();
  await send("'a' 0A");
  await host.close();
  await clock.advance(1);
  expect(printer.receipts.map(({ end }) => end)).toEqual(['disconnected']);
  printer.setCover('open');
  await other.send("'b' 0A");
  await other.host.close();
  await clock.advance(1);
  expect(printer.receipts).toHaveLength(1);
  printer.setCover('closed');
  expect(printer.receipts.map(({ end }) => end)).toEqual(['disconnected', 'disconnected']);
});

test('ESC/POS printer: a hot head and a broken printer do not recover by a request', async () => {
  const { send, printer } = openPrinter();
  printer.enter('head-hot');
  await send('100501');
  expect(printer.condition.error).toBe('head hot');
  printer.mend();
  printer.enter('unrecoverable-error');
  await send('100502');
  expect(printer.condition.error).toBe('unrecoverable');
  printer.restart();
  expect(printer.condition.error).toBe('none');
});

test('ESC/POS printer: the paper ends between the two copies by a fault, and the second comes with a new roll', async () => {
  const { send, texts, printer } = openPrinter({ faults: [fault('paper-out after cut 1')] });
  await send("'merchant' 0A", CUT, "'customer' 0A", CUT);
  expect(texts()).toEqual(['merchant\n']);
  printer.mend();
  expect(texts()).toEqual(['merchant\n', 'customer\n']);
  // It strikes once.
  expect(printer.condition.paper).toBe('enough');
});

test.each([
  ['paper-out after line 3', { state: 'paper-out', point: 'line', nth: 3 }],
  ['cover-open after drawer 1', { state: 'cover-open', point: 'drawer', nth: 1 }],
])('ESC/POS faults: reads %j', (text, parsed) => {
  expect(parsePrinterFault(text)).toEqual(parsed);
});

test.each(['paper-out', 'paper-out after cut 0', 'broken after cut 1', 'paper-out after page 1', ''])(
  'ESC/POS faults: %j is refused with what it must be',
  (text) => {
    expect(parsePrinterFault(text)).toEqual({
      problem: expect.stringMatching(/^must be such as 'paper-out after cut 1'/),
    });
  },
);

test('ESC/POS printer: a fault pulls the cable out', async () => {
  const { send, host, clock } = openPrinter({ faults: [fault('unplugged after line 1')] });
  const closed = new Promise<string>((resolve) => host.onClose(resolve));
  await send("'a' 0A");
  await clock.advance(1);
  expect(await closed).toBe('the other end hung up');
});

test.each([
  ['1B70003232', 2, 100],
  ['1B70303C78', 2, 120],
  ['1B700132FA', 5, 100],
  ['1014010102', 5, 200],
])('ESC/POS drawer: %s opens it, and a hand closes it', async (pulse, pin, onMs) => {
  const { send, printer, events, problems } = openPrinter();
  await send(pulse);
  await send(pulse);
  expect(printer.drawer).toBe('open');
  printer.setDrawer('closed');
  expect(events.filter(({ what }) => what === 'drawer')).toEqual([
    { what: 'drawer', drawer: 'open', pin, onMs },
    { what: 'drawer', drawer: 'closed' },
  ]);
  expect(problems()).toEqual([]);
});

test('ESC/POS drawer: a pulse without times takes the next bytes for them, and is named', async () => {
  const { send, printer, problems } = openPrinter();
  await send('1B70001B7001');
  expect(printer.drawer).toBe('open');
  expect(problems()).toEqual([
    '5: byte 01 is no instruction: it is skipped',
    '0: ESC p (drawer pulse): its two times look like the beginning of an instruction: ESC p is followed by three bytes, and takes the next ones for them',
  ]);
});

test('ESC/POS printer: keeps its state over connections, and a line without a line feed, which it names', async () => {
  const scene = openPrinter();
  await scene.send("1B4501 'open'");
  await scene.host.close();
  await scene.clock.advance(1);
  expect(scene.problems()).toEqual([
    '7: the last line has no line feed: it waits in the printer, before what is printed next',
  ]);
  const asks = scene.connect();
  expect(await asks.send('100401')).toBe('16');
  await asks.host.close();
  await scene.clock.advance(1);
  expect(scene.problems()).toHaveLength(1);
  const second = scene.connect();
  await second.send("' line' 0A");
  expect(scene.text()).toBe('open line\n');
  expect(scene.printer.paper.elements).toMatchObject([{ runs: [{ bold: true }] }]);
});

test('ESC/POS printer: names an instruction that is not whole after a pause, once, and when the connection ends', async () => {
  const { send, clock, host, problems } = openPrinter();
  await send("'a' 0A 1D6B430D '40'");
  await clock.advance(5_000);
  const lacks = '2: GS k (bar code) is not whole: 4 of at least 15 bytes came';
  expect(problems()).toEqual([lacks]);
  await host.close();
  await clock.advance(1);
  expect(problems()).toEqual([lacks, lacks]);
});

test('ESC/POS printer: a printer that is not selected prints nothing, and answers at once', async () => {
  const { send, text } = openPrinter();
  expect(await send("1B3D02 'a' 0A 100401 1B3D01 'b' 0A")).toBe('16');
  expect(text()).toBe('b\n');
});

test('ESC/POS printer: switched off and on it forgets its format and what waits', async () => {
  const { send, printer, text, problems } = openPrinter();
  await send("1B4501 'a' 0A 1D6B43");
  printer.setCover('open');
  await send("'lost' 0A");
  printer.restart();
  printer.setCover('closed');
  await send("'b' 0A");
  expect(text()).toBe('a\nb\n');
  expect(printer.paper.elements.at(-1)).toMatchObject({ runs: [{ bold: false }] });
  expect(problems()).toEqual([]);
});

test('ESC/POS printer: says what it lost of more than its memory has room for while it is offline', async () => {
  const { host, clock, printer, problems } = openPrinter();
  printer.setCover('open');
  for (let sent = 0; sent <= QUEUE_BYTES_MAX; sent += 1_000_000)
    await host.write(new Uint8Array(1_000_000).fill(0x41));
  await clock.advance(2);
  expect(problems()).toEqual([
    `4000000: the printer is offline, and its memory of ${QUEUE_BYTES_MAX} bytes is full: this is lost`,
  ]);
});

test('ESC/POS printer: drops replies that nobody reads', async () => {
  const { twin, host, clock, printer } = openPrinter();
  let heard = 0;
  host.onData((bytes) => (heard += bytes.length));
  await host.write(bytesOf('100401'.repeat(5_000)));
  await clock.advance(5);
  expect(heard).toBe(1_000);
  expect(printer.condition.paper).toBe('enough');
  await twin.close();
});

test('ESC/POS printer: keeps the last receipts only', async () => {
  const { send, printer } = openPrinter();
  await send(...Array.from({ length: 25 }, () => `'a' 0A ${CUT}`));
  expect(printer.receipts.map(({ number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 6),
  );
});

test('ESC/POS printer: a line that ESC @ clears is named', async () => {
  const { send, problems } = openPrinter();
  await send("'lost' 1B40");
  expect(problems()).toEqual([
    '4: ESC @ (initialise): a line has begun that no line feed has printed: it is lost',
  ]);
});

test.each([
  ['paper', '5', 'near end'],
  ['cover', 'open', 'open'],
  ['drawer', 'open', 'open'],
  ['state', 'cutter-error', 'cutter'],
])('ESC/POS controls: %s %s works the printer', (name, argument, result) => {
  const { twin, printer } = openPrinter();
  twin.controls[name]!.run(argument);
  const { paper, cover, error } = printer.condition;
  expect([paper, cover, error, printer.drawer]).toContain(result);
  twin.controls['mend']!.run();
  expect(printer.condition).toMatchObject({ cover: 'closed', error: 'none' });
});

test.each([
  ['paper', '1O', 'paper takes a number of lines, up to 999999'],
  ['paper', '1000000', 'paper takes a number of lines, up to 999999'],
  ['cover', 'opne', 'cover takes one of: open, closed'],
  ['drawer', undefined, 'drawer takes one of: open, closed'],
  ['state', 'paper-uot', 'state takes one of: paper-out, near-end'],
])('ESC/POS controls: %s %s is refused, and changes nothing', (name, argument, problem) => {
  const { twin, printer } = openPrinter();
  twin.controls['cover']!.run('open');
  twin.controls['drawer']!.run('open');
  twin.controls['paper']!.run('5');
  const before = { ...printer.condition };
  expect(() => twin.controls[name]!.run(argument)).toThrow(problem);
  expect(printer.condition).toEqual(before);
  expect([printer.linesLeft, printer.drawer]).toEqual([5, 'open']);
});

test('ESC/POS printer: another roll is told where its condition stays as it was', () => {
  const { printer, events } = openPrinter();
  printer.loadPaper(300);
  printer.loadPaper(0);
  expect(events.map(({ what }) => what)).toEqual(['loaded', 'condition']);
});

test('ESC/POS printer: a new roll that mends it is not near its end', async () => {
  const { send, printer } = openPrinter({ settings: { rollLines: 2, nearEndLines: 0 } });
  printer.enter('near-end');
  await send("'a' 0A 'b' 0A");
  expect(printer.condition.paper).toBe('out');
  printer.mend();
  expect(printer.condition.paper).toBe('enough');
});

test('ESC/POS printer: mended with paper in it, it keeps its roll', () => {
  const { printer } = openPrinter();
  printer.loadPaper(300);
  printer.enter('near-end');
  printer.enter('cutter-error');
  printer.mend();
  expect([printer.linesLeft, printer.condition.paper]).toEqual([300, 'near end']);
});

test('ESC/POS printer: unplugged by a hand its line closes, and without a line it is refused', async () => {
  const { printer, host, clock } = openPrinter();
  const closed = new Promise<string>((resolve) => host.onClose(resolve));
  printer.enter('unplugged');
  expect(await closed).toBe('the other end hung up');
  await clock.advance(1);
  expect(() => printer.enter('unplugged')).toThrow('nothing is connected to the printer now');
});
