import { expect, test } from 'vitest';
import { diagnoseReader } from '../../../../agent/readers/ccid/ccid.driver.ts';
import { CCID_LINE, createCcidSlot } from '../../../../agent/readers/ccid/slot.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { messageOf } from '../../../../protocol/failures.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { createChipCard } from '../../../../simulator/cards/chip-card-registry.ts';
import { createTwin } from '../../../../simulator/twins/ccid.twin.ts';
import { answerOf, fakeChip, slowly, type Answerer } from '../fake-chip.ts';
import { twinLine } from '../twin-line.ts';
import type { CardConnection } from '../../../../agent/emv/card-connection.ts';

const SELECT_PSE = fromHex('00A404000E315041592E5359532E444446303100');

// T=1: TD1 80, TD2 81 then 31: T=1 twice, TA3 FE, TB3 45, and a check byte.
const blockCard = (answer?: Answerer) => fakeChip(answer, '3B808131FE45B1');

function fixture(parts: Partial<Parameters<typeof twinLine>[0]> = {}) {
  const line = twinLine({ createTwin, line: CCID_LINE, ...parts });
  const slot = createCcidSlot({ ...line, log: silentLog });
  const never = new AbortController().signal;
  return {
    ...line,
    slot,
    card: async (): Promise<CardConnection> => (await line.within(3_000, slot.waitForCard(never)))!,
    /** What the card answers in hexadecimal, or why it does not. */
    ask: (card: CardConnection, apdu: Uint8Array) =>
      line.within(
        120_000,
        card.transceive(apdu).then(toHex, (error: Error) => `${error.name}: ${error.message}`),
      ),
  };
}

test('CCID driver: selects the PSE of a simulated card with T=0', async () => {
  const { card, ask, slot } = fixture({ card: createChipCard('visa-contact-pin') });
  const found = await card();
  expect(found.technology).toBe('Contact');
  const announced = await ask(found, SELECT_PSE);
  expect(announced).toMatch(/^61..$/);
  const response = await ask(found, fromHex(`00C00000${announced.slice(2)}`));
  expect(response).toMatch(/^6F.*840E315041592E5359532E4444463031.*9000$/);
  await slot.close();
});

test('CCID driver: sends a T=0 command as a five-byte header without Le after data', async () => {
  const { card, ask, tray } = fixture({ card: fakeChip() });
  const found = await card();
  expect(await ask(found, fromHex('00840000'))).toBe('00840000009000');
  expect(await ask(found, fromHex('0084000008'))).toBe('00840000089000');
  expect(await ask(found, fromHex('00A4040002AABB'))).toBe('00A4040002AABB9000');
  expect(await ask(found, fromHex('00A4040002AABB00'))).toBe('00A4040002AABB9000');
  expect(await ask(found, fromHex('00A40400000002AABB'))).toContain('short commands only');
  const longest = Uint8Array.of(0, 0xa4, 4, 0, 255, ...new Uint8Array(255));
  // An echo of it is longer than any answer may be: the reader says so.
  expect(await ask(found, longest)).toBe('CardLostError: the card sends more than the reader takes');
  tray.insert(fakeChip((command) => Uint8Array.of(0x90, command.length & 0xff)));
  expect(await ask(await card(), longest)).toBe('9004');
});

test('CCID driver: transmits APDUs of every length with T=1', async () => {
  const { card, ask, tray } = fixture({ card: blockCard() });
  const found = await card();
  for (const length of [4, 5, 31, 32, 33, 253, 254, 255, 261, 600]) {
    const command = Uint8Array.from({ length }, (_, n) => n);
    expect(await ask(found, command)).toBe(`${toHex(command)}9000`);
  }
  tray.insert(blockCard(answerOf(256)));
  expect(await ask(await card(), SELECT_PSE)).toHaveLength(2 * 258);
});

test('CCID driver: waits for a card that requests time, and fails when it stops responding', async () => {
  const { card, ask, tray, clock } = fixture({ card: fakeChip() });
  for (const atr of [undefined, '3B808131FE45B1']) {
    tray.insert(fakeChip(slowly(clock, 10_000), atr));
    expect(await ask(await card(), SELECT_PSE)).toContain('9000');
    tray.insert(fakeChip(() => undefined, atr));
    expect(await ask(await card(), SELECT_PSE)).toBe('CardLostError: the card does not answer');
  }
  // For ever is longer than any reader may take: the line is opened anew, and serves the next card.
  tray.insert(fakeChip(slowly(clock, 200_000)));
  expect(await ask(await card(), SELECT_PSE)).toBe('Fault: the reader took too long');
  tray.insert(fakeChip());
  expect(await ask(await card(), SELECT_PSE)).toContain('9000');
});

test('CCID driver: a removed card stays lost, and the next card is powered on', async () => {
  const { card, ask, tray, slot, within } = fixture({ card: fakeChip() });
  const first = await card();
  tray.remove();
  expect(await ask(first, SELECT_PSE)).toBe('CardLostError: the card was taken out');
  tray.insert(fakeChip());
  expect(await ask(first, SELECT_PSE)).toBe('CardLostError: the card was taken out');
  const second = await card();
  expect(await ask(second, SELECT_PSE)).toContain('9000');
  await within(1_000, second.release());
  expect(await ask(second, SELECT_PSE)).toBe('CardLostError: the card was released');
  tray.remove();
  const controller = new AbortController();
  const waiting = slot.waitForCard(controller.signal);
  controller.abort();
  expect(await within(1_000, waiting)).toBeUndefined();
});

test('CCID driver: reports a card with an unknown ATR once until it is removed', async () => {
  const upsideDown = { ...fakeChip(), atr: fromHex('FF') };
  const { card, ask, tray, slot, within, clock } = fixture({ card: upsideDown });
  expect(await ask(await card(), SELECT_PSE)).toMatch(/^CardLostError: the card speaks neither/);
  const waiting = slot.waitForCard(new AbortController().signal);
  await clock.advance(10_000);
  tray.remove();
  await clock.advance(1_000);
  tray.insert(fakeChip());
  expect(await ask((await within(1_000, waiting))!, SELECT_PSE)).toContain('9000');
});

test('CCID driver: an unplugging fails the running command, and the reader reconnects', async () => {
  const { card, ask, unplug, plugIn, slot, within, clock } = fixture({ card: fakeChip() });
  const first = await card();
  unplug();
  expect(await ask(first, SELECT_PSE)).toMatch(/^Fault: /);
  const waiting = slot.waitForCard(new AbortController().signal).then(String, messageOf);
  expect(await within(1_000, waiting)).toBe('the device is unplugged');
  plugIn();
  await clock.advance(5_000);
  expect(await ask(await card(), SELECT_PSE)).toContain('9000');
});

test('CCID diagnose: runs the checks, and gives advice when the reader does not respond', async () => {
  const good = fixture({ card: fakeChip() });
  expect(await good.within(5_000, findings(good))).toEqual([
    'ok open the port: 115200 baud, 8N1',
    'ok ask for the slot: a card in it',
    'ok read its firmware: Tapbench CCID twin 1.0',
    'ok power the card: it answers, and speaks T=0',
  ]);
  const deaf = fixture({ createTwin: () => ({ name: 'deaf', controls: {}, close: async () => {} }) });
  const found = await deaf.within(20_000, findings(deaf));
  expect(found.at(-1)).toContain(
    'not ok ask for the slot: the reader does not answer command 65: Check the cable',
  );
});

async function findings(parts: ReturnType<typeof fixture>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { step, ok, detail, advice } of diagnoseReader(parts)) {
    lines.push(`${ok ? '' : 'not '}ok ${step}: ${detail}${advice ? `: ${advice}` : ''}`);
  }
  return lines;
}
