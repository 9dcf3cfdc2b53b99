import { expect, test } from 'vitest';
import { cardKindOf } from '../../../../agent/readers/pcsc/card-kind.ts';
import { CODE, SHARE_EXCLUSIVE, STATE, UNPOWER_CARD } from '../../../../agent/readers/pcsc/pcsc-interface.ts';
import { createPcscSlot } from '../../../../agent/readers/pcsc/slot.ts';
import type { CardConnection } from '../../../../agent/emv/card-connection.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { messageOf } from '../../../../protocol/failures.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { keysOf } from '../../../../protocol/tables.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { createFakePcsc } from '../../../kit/fake-pcsc.ts';
import { echo, fakeChip } from '../fake-chip.ts';

const COMMAND = Uint8Array.of(0x00, 0xb0, 0x00, 0x00, 0x10);
const never = new AbortController().signal;

function openSlot(options: Partial<Parameters<typeof createFakePcsc>[0]> = {}) {
  const clock = new VirtualClock(0);
  const fake = createFakePcsc({ clock, ...options });
  const slot = createPcscSlot({ port: fake.port, clock, log: silentLog });
  /** Advances the clock until the promise settles. */
  const settled = async <T>(promise: Promise<T>): Promise<T> => {
    let over = false;
    const end = () => void (over = true);
    promise.then(end, end);
    for (let turn = 0; turn < 200 && !over; turn += 1) await clock.advance(100);
    if (!over) throw new Error('the promise did not settle within 20 s');
    return promise;
  };
  const card = async (): Promise<CardConnection> => (await settled(slot.waitForCard(never)))!;
  return { ...fake, clock, slot, settled, card };
}

test('PC/SC slot: waits for a card, connects to it alone, and switches it off at the end', async () => {
  const { tray, card, calls, names } = openSlot();
  const coming = card();
  tray.insert(fakeChip());
  const connection = await coming;
  expect(connection.technology).toBe('Contactless');
  expect(await connection.transceive(COMMAND)).toEqual(echo(COMMAND));
  await connection.release();
  await connection.release();
  expect(calls.find(({ name }) => name === 'connect')).toMatchObject({ share: SHARE_EXCLUSIVE });
  expect(calls.filter(({ name }) => name === 'disconnect')).toEqual([
    { name: 'disconnect', disposition: UNPOWER_CARD },
  ]);
  expect(names()).not.toContain('releaseContext');
});

test('PC/SC slot: a contact card with T=0 gets commands without a length behind their data', async () => {
  const { card, calls, tray } = openSlot({ technology: 'Contact' });
  tray.insert(fakeChip());
  const connection = await card();
  expect(connection.technology).toBe('Contact');
  await connection.transceive(Uint8Array.of(0, 0xa4, 4, 0, 2, 0x3f, 0, 0));
  expect(toHex(calls.find(({ name }) => name === 'transmit')!.command!)).toBe('00A40400023F00');
});

test('PC/SC slot: the card of the last transaction has to be removed before another is taken', async () => {
  const { card, tray, settled, slot, clock } = openSlot();
  const chip = fakeChip();
  tray.insert(chip);
  await (await card()).release();
  let found = false;
  const next = slot.waitForCard(never).then((connection) => ((found = true), connection!));
  await clock.advance(60_000);
  expect(found).toBe(false);
  tray.remove();
  await clock.advance(100);
  expect(found).toBe(false);
  tray.insert(chip);
  expect(await (await settled(next)).transceive(COMMAND)).toEqual(echo(COMMAND));
});

test('PC/SC slot: a card that was removed and presented again between two waits is taken', async () => {
  const { card, tray } = openSlot();
  const chip = fakeChip();
  tray.insert(chip);
  await (await card()).release();
  tray.remove();
  tray.insert(chip);
  expect(await (await card()).transceive(COMMAND)).toEqual(echo(COMMAND));
});

test('PC/SC slot: a card that was lost may be presented again before the reader has seen it leave', async () => {
  const { card, tray, answers } = openSlot();
  tray.insert(fakeChip());
  const connection = await card();
  answers.transmit = { code: CODE.removedCard };
  await expect(connection.transceive(COMMAND)).rejects.toThrow('the card was removed');
  await connection.release();
  delete answers.transmit;
  expect(await (await card()).transceive(COMMAND)).toEqual(echo(COMMAND));
});

test('PC/SC slot: a reader that reports a card after it has left is asked again, not without a pause', async () => {
  const { slot, tray, answers, calls, clock } = openSlot();
  tray.insert(fakeChip());
  answers.connect = { code: CODE.removedCard };
  const ended = new AbortController();
  void slot.waitForCard(ended.signal);
  await clock.advance(1_000);
  ended.abort();
  const tries = calls.filter(({ name }) => name === 'connect').length;
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThan(15);
});

test('PC/SC slot: the state that a wait begins with is positive after 32,768 insertions too', async () => {
  const { state, pcsc, clock } = openSlot();
  state.insertions = 0x8000;
  const seen: number[] = [];
  const watched: typeof pcsc.getStatusChange = (context, wait) => {
    seen.push(wait.current);
    return pcsc.getStatusChange(context, wait);
  };
  const port = { reader: '', load: async () => ({ ...pcsc, getStatusChange: watched }) };
  const ended = new AbortController();
  void createPcscSlot({ port, clock, log: silentLog }).waitForCard(ended.signal);
  await clock.advance(100);
  ended.abort();
  await clock.advance(100);
  expect(seen).toEqual([0, 0x8000_0010]);
});

test('PC/SC slot: a session that opens while the slot is closed is released', async () => {
  const { clock, pcsc, names, settled } = openSlot();
  let loaded: (library: typeof pcsc) => void = () => {};
  const load = () => new Promise<typeof pcsc>((resolve) => (loaded = resolve));
  const slot = createPcscSlot({ port: { reader: '', load }, clock, log: silentLog });
  const waiting = slot.waitForCard(never);
  const closing = slot.close();
  await clock.advance(100);
  loaded(pcsc);
  expect(await settled(waiting)).toBeUndefined();
  await settled(closing);
  expect(names().filter((name) => name === 'releaseContext')).toHaveLength(2);
});

test('PC/SC slot: a command that the service never ends keeps neither the release of its card nor the next one', async () => {
  const { clock, pcsc, tray, calls, settled } = openSlot();
  let isStuck = true;
  const held = new Set<unknown>();
  const forever = new Promise<never>(() => {});
  const stuck: typeof pcsc = {
    ...pcsc,
    transmit: (...given) => (isStuck ? forever : pcsc.transmit(...given)),
    disconnect: (...given) => (isStuck ? forever : pcsc.disconnect(...given)),
    releaseContext: (context) => (held.has(context) ? forever : pcsc.releaseContext(context)),
    async connect(context, request) {
      if (isStuck) held.add(context);
      return pcsc.connect(context, request);
    },
  };
  const port = { reader: '', load: async () => stuck };
  const slot = createPcscSlot({ port, clock, log: silentLog });
  tray.insert(fakeChip());
  const connection = (await settled(slot.waitForCard(never)))!;
  void connection.transceive(COMMAND);
  await settled(connection.release());
  isStuck = false;
  tray.remove();
  tray.insert(fakeChip());
  const next = (await settled(slot.waitForCard(never)))!;
  expect(await next.transceive(COMMAND)).toEqual(echo(COMMAND));
  expect(calls.filter(({ name }) => name === 'establishContext')).toHaveLength(4);
  await settled(next.release());
  await settled(slot.close());
});

test('PC/SC slot: the end of an action ends the wait with a cancel', async () => {
  const { slot, settled } = openSlot();
  const ended = new AbortController();
  const waiting = slot.waitForCard(ended.signal);
  ended.abort();
  expect(await settled(waiting)).toBeUndefined();
  await settled(slot.close());
});

test('PC/SC slot: a card removed between two commands is reported to the listener', async () => {
  const { card, tray, clock } = openSlot({ technology: 'Contact' });
  tray.insert(fakeChip());
  const connection = await card();
  let removed = 0;
  connection.onRemoved!(() => (removed += 1));
  await clock.advance(5_000);
  expect(removed).toBe(0);
  tray.remove();
  await clock.advance(100);
  expect(removed).toBe(1);
  await connection.release();
});

// What another try with a card may help, and what it cannot.
test.each([
  ['CardLostError', CODE.removedCard, 'the card was removed: present it again'],
  ['CardLostError', CODE.noCard, 'the card was removed: present it again'],
  ['CardLostError', CODE.resetCard, 'another program reset the card: end it'],
  ['CardLostError', CODE.unresponsiveCard, 'insert it with its chip first'],
  ['CardLostError', CODE.unpoweredCard, 'remove it and present it again'],
  ['CardLostError', CODE.unsupportedReset, 'the reader does not support the card'],
  ['CardLostError', CODE.notTransacted, 'lost contact with the card: hold it still'],
  ['Fault', CODE.serviceStopped, 'the smart card service was stopped: '],
  ['Fault', CODE.noService, 'the smart card service does not run: '],
  ['Fault', CODE.readerUnavailable, 'the reader was unplugged: plug it in again'],
  ['Fault', CODE.sharingViolation, "another program uses the card: end it (gpg's scdaemon"],
  ['Fault', 0x80100001, 'the smart card service reports error 80100001'],
] as const)('PC/SC slot: a command that fails is a %s for %i: %s', async (kind, code, words) => {
  const { card, tray, answers, calls } = openSlot();
  tray.insert(fakeChip());
  const connection = await card();
  answers.transmit = { code };
  const error: unknown = await connection.transceive(COMMAND).catch((thrown: unknown) => thrown);
  expect([error instanceof Error && error.name, messageOf(error)]).toEqual([
    kind,
    expect.stringContaining(words),
  ]);
  // The reader stays taken until the card is given back, also one that is gone.
  expect(calls.at(kind === 'Fault' ? -3 : -1)).toEqual({ name: 'disconnect', disposition: UNPOWER_CARD });
  expect(calls.filter(({ name }) => name === 'releaseContext')).toHaveLength(kind === 'Fault' ? 2 : 0);
  answers.transmit = {};
  await expect(connection.transceive(COMMAND)).rejects.toThrow(words);
});

test.each([
  ['establishContext', CODE.noService, 'the smart card service does not run'],
  ['establishContext', CODE.accessDenied, 'the smart card service refuses this user'],
  ['listReaders', CODE.noReaders, 'the smart card service has no reader: plug one in'],
  ['getStatusChange', CODE.serviceStopped, 'the smart card service was stopped'],
  ['getStatusChange', CODE.unknownReader, 'the reader was unplugged'],
  ['connect', CODE.sharingViolation, 'another program uses the card'],
  ['connect', CODE.readerUnavailable, 'the reader was unplugged'],
] as const)('PC/SC slot: %s that returns %i fails, and works again after it', async (name, code, words) => {
  const { slot, settled, tray, answers, card } = openSlot();
  tray.insert(fakeChip());
  answers[name] = { code };
  await expect(settled(slot.waitForCard(never))).rejects.toMatchObject({
    code: 'reader',
    message: expect.stringContaining(words),
  });
  delete answers[name];
  expect(await (await card()).transceive(COMMAND)).toEqual(echo(COMMAND));
});

test('PC/SC slot: a program that looks at a new card for a moment does not end the wait', async () => {
  const { card, tray, answers, clock } = openSlot();
  tray.insert(fakeChip());
  answers.connect = { code: CODE.sharingViolation };
  const coming = card();
  await clock.advance(1_000);
  delete answers.connect;
  expect(await (await coming).transceive(COMMAND)).toEqual(echo(COMMAND));
});

test('PC/SC slot: a card that is mute is unreadable, with advice, and is not tried again', async () => {
  const { card, tray, answers, slot, clock } = openSlot({ technology: 'Contact' });
  tray.insert(fakeChip());
  answers.connect = { code: CODE.unresponsiveCard };
  await expect((await card()).transceive(COMMAND)).rejects.toThrow(
    'insert it with its chip first and facing up',
  );
  let found = false;
  void slot.waitForCard(never).then(() => (found = true));
  await clock.advance(10_000);
  expect(found).toBe(false);
});

test.each([
  ['3B80800101', 'Contactless', undefined],
  ['3B8F8001804F0CA000000306030001000000006A', 'Contactless', 'MIFARE Classic 1K'],
  ['3B8F8001804F0CA0000003060300030000000068', 'Contactless', 'MIFARE Ultralight'],
  ['3B8F8001804F0CA000000306030002000000006A', 'Contactless', 'MIFARE Classic 4K'],
  ['3B8F8001804F0CA00000030603F0040000000000', 'Contactless', 'Topaz'],
  ['3B8F8001804F0CA00000030603F0120000000000', 'Contactless', 'FeliCa'],
  ['3B65000020631100', 'Contact', undefined],
])('PC/SC card: the answer to reset %s is that of a %s card', (atr, technology, memory) => {
  expect(cardKindOf(fromHex(atr))).toEqual({ technology, ...(memory !== undefined && { memory }) });
});

test('PC/SC reader state: the recorded event words are a card that came, and one that left', () => {
  const bitsOf = (event: number) => keysOf(STATE).filter((name) => (event & STATE[name]) !== 0);
  expect([bitsOf(0x10022), 0x10022 >>> 16]).toEqual([['changed', 'present'], 1]);
  expect([bitsOf(0x20012), 0x20012 >>> 16]).toEqual([['changed', 'empty'], 2]);
});

test.each([
  ['3B8F8001804F0CA000000306030001000000006A', 'a memory card (MIFARE Classic 1K)'],
  ['3B8F8001804F0CA0000003060300030000000068', 'a memory card (MIFARE Ultralight)'],
  ['3B8F8001804F0CA00000030603F011000000008A', 'a memory card (FeliCa)'],
  ['3B8F8001804F0CA000000306030099000000006A', 'a memory card (number 0099)'],
])('PC/SC slot: %s is %s, and gets no command', async (atr, words) => {
  const { card, tray, names } = openSlot({ atr });
  tray.insert(fakeChip());
  await expect((await card()).transceive(COMMAND)).rejects.toThrow(`this is not a payment card but ${words}`);
  expect(names()).not.toContain('transmit');
});

test('PC/SC slot: a reader that is unplugged while it waits is a fault', async () => {
  const { slot, settled, unplug, clock } = openSlot();
  const waiting = slot.waitForCard(never);
  await clock.advance(100);
  unplug();
  await expect(settled(waiting)).rejects.toThrow('the reader was unplugged: plug it in again');
  await expect(settled(slot.waitForCard(never))).rejects.toThrow('has no reader: plug one in');
});

test('PC/SC slot: without a reader it names the kernel module that takes an ACR122U', async () => {
  const { slot, unplug, state } = openSlot();
  unplug();
  state.modules = ['pn533_usb', 'pn533'];
  await expect(slot.waitForCard(never)).rejects.toThrow(/sudo modprobe -r pn533_usb pn533/);
});

test.each([
  ['ACR122U', ['ACS ACR122U 00 00', 'Omnikey 3021 01 00'], 'ACS ACR122U 00 00'],
  ['omnikey', ['ACS ACR122U 00 00', 'Omnikey 3021 01 00'], 'Omnikey 3021 01 00'],
  ['Virtual PCD 00', ['Virtual PCD 00', 'Virtual PCD 00 01'], 'Virtual PCD 00'],
  ['', ['ACS ACR122U 00 00'], 'ACS ACR122U 00 00'],
  ['', ['A 00', 'B 01'], "several readers fit '': choose one of 'pcsc:A 00', 'pcsc:B 01'"],
  ['C', ['A 00', 'B 01'], "there is no reader 'C': choose one of 'pcsc:A 00', 'pcsc:B 01'"],
])("PC/SC slot: of the readers the name '%s' chooses one (%j): %s", async (reader, names, expected) => {
  const clock = new VirtualClock(0);
  const { pcsc, answers, tray } = createFakePcsc({ clock });
  tray.insert(fakeChip());
  answers.listReaders = { names };
  let used = '';
  const connect: typeof pcsc.connect = (context, request) => {
    used = request.reader;
    return pcsc.connect(context, request);
  };
  const port = { reader, load: async () => ({ ...pcsc, connect }) };
  const slot = createPcscSlot({ port, clock, log: silentLog });
  const said = await slot.waitForCard(never).then(() => used, messageOf);
  expect(said).toContain(expected);
});
