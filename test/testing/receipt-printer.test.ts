import { createConnection } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startWorld, type UserWorld } from '../../testing/world/user-world.ts';

let world: UserWorld;
afterEach(() => world.close());

const copiesOf = ({ receipts }: { receipts: readonly { text: string }[] }) =>
  receipts.map(({ text }) => /(MERCHANT|CUSTOMER) COPY/.exec(text)?.[0]);
const BOTH = ['MERCHANT COPY', 'CUSTOMER COPY'];

test('world: a terminal prints at a receipt printer, without time passing', async () => {
  world = await startWorld();
  const printer = world.openPrinter();
  const till = await world.openTill({ printer });
  const before = world.nowMs();
  expect(await till.takes(1_742)).toMatchObject({ status: 'Captured' });
  expect(world.nowMs()).toBe(before);
  expect(copiesOf(printer)).toEqual(BOTH);
  expect(printer.receipts[0]).toMatchObject({
    text: expect.stringMatching(/^ {8}AMOUNT +17\.42 GBP$/m),
    end: 'partial cut',
  });
  expect(printer).toMatchObject({
    paper: 'enough',
    cover: 'closed',
    error: 'none',
    drawer: 'closed',
    problems: [],
  });
});

test('world: the test works paper and cover of a printer, between the copies too', async () => {
  world = await startWorld();
  const printer = world.openPrinter({ faults: ['paper-out after cut 1'] });
  const till = await world.openTill({ printer });
  const { body } = await till.pay(1_742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect([copiesOf(printer), printer.paper]).toEqual([['MERCHANT COPY'], 'out']);
  printer.setCover('open');
  printer.loadPaper(500);
  await world.advance({ seconds: 5 });
  expect(copiesOf(printer)).toEqual(['MERCHANT COPY']);
  printer.mend();
  await world.advance({ seconds: 2 });
  expect(copiesOf(printer)).toEqual(BOTH);
  expect(await till.session(body.action.transaction.paymentSessionId)).toMatchObject({ status: 'Captured' });
  expect((await till.action()).transaction.receiptDetail).toMatchObject({
    merchantCopy: { status: 'NotRequired' },
    customerCopy: { status: 'NotRequired' },
  });
});

test('world: a paper fault of the terminal takes the paper out of its printer, and the terminal can put in some', async () => {
  world = await startWorld();
  const printer = world.openPrinter();
  const till = await world.openTill({ printer });
  await world.faults({
    at: 'terminal.state',
    what: 'paper-out',
    when: { state: 'approved.printing.customerCopy' },
  });
  await till.takes(1_742);
  await world.advance({ seconds: 3 });
  expect([copiesOf(printer), printer.paper]).toEqual([['MERCHANT COPY'], 'out']);
  till.terminal.perform({ act: 'paper', sheets: 10 });
  await world.advance({ seconds: 2 });
  expect([copiesOf(printer), printer.paper]).toEqual([BOTH, 'enough']);
});

test('world: the paper is out of a payment terminal and of the printer of its till together', async () => {
  world = await startWorld();
  const printer = world.openPrinter();
  const till = await world.openTill({ twin: 'caisse-ap', printer, cardholder: { script: 'tap' } });
  const { terminal } = till;
  const paper = (sheets: number) => terminal.perform({ act: 'paper', sheets }).terminal?.paperSheets;
  const receipts = () => terminal.perform({ act: 'control', control: 'receipts' }).terminal?.answer;
  expect([paper(0), printer.paper]).toEqual([0, 'out']);
  await till.pay(1_742, { currency: 'EUR' });
  await world.advance({ seconds: 20 });
  expect(receipts()).toBe('none is printed');
  expect([paper(100), printer.paper]).toEqual([67, 'enough']);
  expect(receipts()).toMatch(/17.42/);
});

test('world: a till of the test prints at a printer over TCP, and its drawer opens', async () => {
  world = await startWorld();
  const printer = world.openPrinter({ columns: 42, drawerOpen: 'high' });
  const till = createConnection(await printer.listen());
  const answered = new Promise<Buffer>((resolve) => till.once('data', resolve));
  // Text, a pulse for the drawer, an instruction that no printer has, a cut, and how the printer is.
  till.write(Buffer.from('Coffee 3.20\n\x1bp\x00\x32\x32\x1b\x01\x1dV\x00\x10\x04\x01', 'latin1'));
  expect((await answered).toString('hex')).toBe('12');
  expect(printer).toMatchObject({ receipts: [{ text: 'Coffee 3.20\n', end: 'full cut' }], drawer: 'open' });
  expect(printer.problems).toEqual([expect.stringMatching(/^byte 17: /)]);
  printer.closeDrawer();
  printer.enter('cutter-error');
  expect(printer).toMatchObject({ drawer: 'closed', error: 'cutter' });
  till.destroy();
});

test('world: a printer refuses paper and a cover that there are not, and keeps the last of many problems', async () => {
  world = await startWorld();
  const printer = world.openPrinter();
  for (const lines of [-1, 1.5, Number.NaN])
    expect(() => printer.loadPaper(lines)).toThrow(
      `loadPaper: lines must be a whole number from 0 on, not ${lines}`,
    );
  // @ts-expect-error -- a misspelt cover
  expect(() => printer.setCover('opne')).toThrow("setCover: a cover is open or closed, not 'opne'");
  expect(printer).toMatchObject({ paper: 'enough', cover: 'closed' });
  const till = createConnection(await printer.listen());
  const answered = new Promise((resolve) => till.once('data', resolve));
  till.write(Buffer.from('\x1b\x01'.repeat(120) + '\x10\x04\x01', 'latin1'));
  await answered;
  expect([printer.problems.length, printer.problems[0]]).toEqual([100, expect.stringMatching(/^byte 40: /)]);
  till.destroy();
});

test('world: a wrong option, fault or state of a printer is an error that names it', async () => {
  world = await startWorld();
  // @ts-expect-error -- a number that no printer has
  expect(() => world.openPrinter({ columns: 40 })).toThrow(/^openPrinter: columns /);
  expect(() => world.openPrinter({ faults: ['paper-out'] })).toThrow(
    /^openPrinter: a fault must be such as /,
  );
  // @ts-expect-error -- a state that no printer has
  expect(() => world.openPrinter().enter('on-fire')).toThrow(
    /^a printer has no state 'on-fire'; its states are: paper-out, /,
  );
  const other = await startWorld();
  await expect(world.openTill({ printer: other.openPrinter() })).rejects.toThrow(
    'openTill: printer is none that openPrinter of this world returned',
  );
  await other.close();
});
