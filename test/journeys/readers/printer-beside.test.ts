import { expect, onTestFinished, test } from 'vitest';
import { FLUSH_MS } from '../../../server/dashboard/live.ts';
import type { FleetTerminal } from '../../../server/dashboard/view.ts';
import { startWorld as startWholeWorld } from '../../../testing/world/world.ts';
import { openPage } from '../../server/dashboard/open-page.ts';
import { startWorld, type TillOptions, type UserWorld } from '../../../testing/world/user-world.ts';
import type { Till } from '../../../testing/world/till.ts';

/** What is done and asked at the printer beside the terminal of a till. */
function workable(till: Till) {
  const use = (control: string, argument?: string) =>
    till.terminal.perform({ act: 'control', control, ...(argument !== undefined && { argument }) });
  return {
    use,
    condition: () => use('status').terminal?.printer,
    /** The copies that it has printed, oldest first. */
    copies: () => use('receipts').terminal?.answer?.match(/(MERCHANT|CUSTOMER) COPY/g) ?? [],
  };
}

async function opens(options: TillOptions = { twin: 'escpos' }) {
  const world = await startWorld({ cardholder: { script: 'tap' } });
  onTestFinished(() => world.close());
  const till = await world.openTill(options);
  return { world, till, pays: () => pay(world, till), ...workable(till) };
}

async function pay(world: UserWorld, till: Till): Promise<void> {
  expect((await till.pay(1_742)).status).toBe(200);
  await world.advance({ seconds: 10 });
}

const BOTH = ['MERCHANT COPY', 'CUSTOMER COPY'];

test('printer beside a terminal: both copies are printed, and its controls say how it is', async () => {
  const { till, use, copies, condition } = await opens();
  expect(await till.takes(1_742)).toMatchObject({ status: 'Captured' });
  expect(copies()).toEqual(BOTH);
  expect(use('status').terminal?.answer).toMatch(
    /^paper enough, cover closed, 19\d\d lines left, drawer closed$/,
  );
  expect(condition()).toMatchObject({ paper: 'enough', cover: 'closed', error: 'none', drawer: 'closed' });
});

test('printer beside a terminal: its paper ends after the first copy, by a fault that a control sets', async () => {
  const { world, till, use, copies, condition, pays } = await opens();
  await till.takes(1_742);
  expect(use('fault', 'paper-out after cut 1').ok).toBe(true);
  await pays();
  expect([copies(), condition()?.paper]).toEqual([[...BOTH, 'MERCHANT COPY'], 'out']);
  expect((await till.action()).status).toBe('InProgress');
  use('paper');
  await world.advance({ seconds: 2 });
  expect([copies(), condition()?.paper]).toEqual([[...BOTH, ...BOTH], 'enough']);
});

test.each<[string, string, string | undefined, object]>([
  ['an open cover', 'cover', 'open', { cover: 'open' }],
  ['no paper', 'paper', '0', { paper: 'out', linesLeft: 0 }],
  ['a hot head', 'state', 'head-hot', { error: 'head hot' }],
])('printer beside a terminal: %s stops it until it is mended', async (_what, control, argument, seen) => {
  const { world, till, use, copies, condition, pays } = await opens();
  use(control, argument);
  expect(condition()).toMatchObject(seen);
  await pays();
  expect(copies()).toEqual([]);
  use('mend');
  await world.advance({ seconds: 5 });
  expect(copies()).toEqual(BOTH);
  expect((await till.action()).status).toBe('Succeeded');
});

test('printer beside a terminal: near its end it prints, and a stuck cutter recovers by itself', async () => {
  const { use, copies, condition, pays } = await opens();
  use('state', 'near-end');
  use('state', 'cutter-error');
  await pays();
  expect([copies(), condition()]).toEqual([
    BOTH,
    expect.objectContaining({ paper: 'near end', error: 'none' }),
  ]);
});

test('printer beside a terminal: the drawer is opened and closed', async () => {
  const { use } = await opens();
  const drawer = (to: string) => use('drawer', to).terminal?.printer?.drawer;
  expect([drawer('open'), drawer('closed')]).toEqual(['open', 'closed']);
});

test('printer beside a terminal: a control, or what it takes, that there is not is refused', async () => {
  const { use } = await opens();
  expect(() => use('receipt')).toThrow(
    "this printer has no control 'receipt', only: status, receipts, paper, cover, drawer, state, fault, mend, tear, restart",
  );
  expect(() => use('cover', 'ajar')).toThrow('cover takes one of: open, closed');
  expect(() => use('fault', 'paper-out')).toThrow("fault must be such as 'paper-out after cut 1'");
});

test('printer beside a terminal: the act paper takes its paper out, and puts in 30 lines for each sheet', async () => {
  const { till, condition } = await opens();
  const load = (sheets: number) => till.terminal.perform({ act: 'paper', sheets }).terminal?.paperSheets;
  expect([load(0), condition()?.paper]).toEqual([0, 'out']);
  expect([load(10), condition()?.linesLeft]).toEqual([10, 300]);
  expect([load(1_000), condition()?.linesLeft]).toEqual([67, 2_000]);
});

test('printer beside a terminal: a serial number with its name makes it', async () => {
  const { world, till } = await opens({ serialNumber: 'SIM-ESCPOS-0007' });
  expect(workable(till).condition()?.paper).toBe('enough');
  const { location } = (await world.api.get(`/v1/in-person/terminals/${till.terminal.terminalId}`)).body;
  const body = { serialNumber: 'SIM-ESCPOS-0008', locationId: location.id };
  const { id } = (await world.api.post('/v1/in-person/terminals', body)).body;
  const registered = workable(await world.openTill({ terminalId: id }));
  expect(registered.condition()?.paper).toBe('enough');
});

test('printer beside a terminal: other terminals have no controls', async () => {
  const { use } = await opens({});
  expect(() => use('status')).toThrow('nothing is beside this terminal that has controls');
});

test('printer beside a terminal: a power cut of the terminal leaves the printer on, which prints what it had taken', async () => {
  const { world, till, use, copies, condition } = await opens();
  use('fault', 'cover-open after line 5');
  await till.pay(1_742);
  await world.advance({ seconds: 3 });
  expect(condition()?.cover).toBe('open');
  till.terminal.perform({ act: 'power', state: 'off' });
  use('mend');
  await world.advance({ seconds: 5 });
  const before = copies();
  till.terminal.perform({ act: 'power', state: 'on' });
  await world.advance({ minutes: 1 });
  // The terminal cannot know that the copy has come out, and prints it again.
  expect([before, copies()]).toEqual([['MERCHANT COPY'], ['MERCHANT COPY', ...BOTH]]);
  expect((await till.action()).status).toBe('Succeeded');
});

test('printer beside a terminal: a fork has its condition and its faults, and none of its receipts', async () => {
  const { world, till, use } = await opens();
  await till.takes(1_742);
  use('state', 'near-end');
  use('drawer', 'open');
  use('fault', 'paper-out after cut 1');
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  const forkedTill = fork.tillOf(till.terminal.terminalId);
  const forked = workable(forkedTill);
  expect(forked.condition()).toEqual(workable(till).condition());
  expect([forked.copies(), forked.condition()?.paper, forked.condition()?.drawer]).toEqual([
    [],
    'near end',
    'open',
  ]);
  await pay(fork, forkedTill);
  expect([forked.copies(), forked.condition()?.paper]).toEqual([['MERCHANT COPY'], 'out']);
});

test('printer beside a terminal: an open page of the dashboard is told each change and receipt, with no entry in the timeline', async () => {
  const world = await startWholeWorld({ cardholder: { script: 'tap' } });
  onTestFinished(() => world.close());
  const terminal = await world.addTerminal({ twin: 'escpos' });
  const { terminalId } = terminal;
  const page = await openPage(world, { kind: 'terminal', id: terminalId });
  const first = page.last('hello')!.terminals.find(({ id }: FleetTerminal) => id === terminalId);
  expect(first?.printer).toMatchObject({ paper: 'enough', linesLeft: 2_000, printed: 0, receipts: [] });
  const printer = () => page.last('terminal')?.terminal.printer;

  terminal.perform({ act: 'control', control: 'cover', argument: 'open' });
  await world.advance({ ms: FLUSH_MS });
  expect(printer()?.cover).toBe('open');
  terminal.perform({ act: 'control', control: 'mend' });
  terminal.perform({ act: 'control', control: 'paper', argument: '300' });
  await world.advance({ ms: FLUSH_MS });
  expect(printer()).toMatchObject({ paper: 'enough', linesLeft: 300 });
  const path = `/v1/in-person/terminals/${terminalId}/payment`;
  await world.api.post(path, { amounts: { requested: 1_742 }, currency: 'GBP' });
  await world.advance({ seconds: 10 });
  expect(printer()).toMatchObject({ cover: 'closed', printed: 2, receipts: [{ number: 1 }, { number: 2 }] });
  expect(printer()?.receipts[1]?.text).toMatch(/VISA +\*{12}\d{4}\n/);
  expect(page.text).toContain('receipt printer, asks for its paper');
  expect(page.text).not.toContain('printer.shown');
});

test('printer beside a terminal: a fork that waits for paper between the copies prints the second once there is some', async () => {
  const { world, till, use } = await opens();
  use('fault', 'paper-out after cut 1');
  await pay(world, till);
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  const forkedTill = fork.tillOf(till.terminal.terminalId);
  const forked = workable(forkedTill);
  expect(forked.condition()?.paper).toBe('out');
  forked.use('paper');
  await fork.advance({ seconds: 10 });
  expect(forked.copies()).toEqual(['CUSTOMER COPY']);
  const { status, transaction } = await forkedTill.action();
  expect([status, transaction.receiptDetail.customerCopy.status]).toEqual(['Succeeded', 'NotRequired']);
});

test('printer beside a terminal: is shown no more once another program has paired the terminal', async () => {
  const world = await startWholeWorld();
  onTestFinished(() => world.close());
  const { terminalId } = await world.addTerminal({ twin: 'escpos' });
  const page = await openPage(world, { kind: 'terminal', id: terminalId });
  await world.api.post(`/pairing/terminals/${terminalId}`, { takeOver: true });
  await world.advance({ ms: FLUSH_MS });
  const shown = page.last('terminal')!.terminal;
  expect([shown.id, shown.online, shown.printer]).toEqual([terminalId, false, undefined]);
});

test('printer beside a terminal: it cannot be unplugged while no copy is under way', async () => {
  const { use } = await opens();
  expect(() => use('state', 'unplugged')).toThrow('state unplugged: nothing is connected to the printer now');
});
