import { expect, test } from 'vitest';
import { diagnoseChip } from '../../../../agent/readers/pn532/pn532.driver.ts';
import { createPn532Slot, PN532_LINE } from '../../../../agent/readers/pn532/slot.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { messageOf } from '../../../../protocol/failures.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { createChipCard } from '../../../../simulator/cards/chip-card-registry.ts';
import { createTwin } from '../../../../simulator/twins/pn532.twin.ts';
import { answerOf, fakeChip, slowly } from '../fake-chip.ts';
import { twinLine } from '../twin-line.ts';
import type { CardConnection } from '../../../../agent/emv/card-connection.ts';

const SELECT_PPSE = fromHex('00A404000E325041592E5359532E444446303100');

function fixture(parts: Partial<Parameters<typeof twinLine>[0]> = {}) {
  const line = twinLine({ createTwin, line: PN532_LINE, ...parts });
  const slot = createPn532Slot({ ...line, log: silentLog });
  const never = new AbortController().signal;
  return {
    ...line,
    slot,
    /** The card that lies in the field. */
    card: async (): Promise<CardConnection> => (await line.within(2_000, slot.waitForCard(never)))!,
    /** What the card answers in hexadecimal, or why it does not. */
    ask: (card: CardConnection, apdu: Uint8Array) =>
      line.within(
        70_000,
        card.transceive(apdu).then(toHex, (error: Error) => `${error.name}: ${error.message}`),
      ),
  };
}

test('PN532 driver: selects the PPSE of a simulated card', async () => {
  const { card, ask, slot } = fixture({ card: createChipCard('visa-contactless') });
  const found = await card();
  expect(found.technology).toBe('Contactless');
  expect(await ask(found, SELECT_PPSE)).toMatch(/^6F.*840E325041592E5359532E4444463031.*9000$/);
  await slot.close();
});

test('PN532 driver: finds a card that comes later, and stops waiting when aborted', async () => {
  const { card, tray, slot, within, clock } = fixture();
  const waiting = card();
  await clock.advance(1_000);
  tray.insert(fakeChip());
  expect(await waiting).toBeDefined();

  tray.remove();
  const controller = new AbortController();
  const given = slot.waitForCard(controller.signal);
  await clock.advance(5_000);
  controller.abort();
  expect(await within(1_000, given)).toBeUndefined();
});

test('PN532 driver: transmits APDUs of every length with extended frames and chaining', async () => {
  const sent: number[] = [];
  const { card, ask, tray } = fixture({
    card: fakeChip((command) => {
      sent.push(command.length);
      return Uint8Array.of(0x90, 0x00);
    }),
  });
  const first = await card();
  const lengths = [4, 5, 250, 251, 252, 253, 254, 261, 262, 263, 524, 525, 1000];
  for (const length of lengths) expect(await ask(first, new Uint8Array(length))).toBe('9000');
  expect(sent).toEqual(lengths);

  for (const length of [0, 1, 250, 252, 256, 260, 261, 522, 1000]) {
    tray.insert(fakeChip(answerOf(length)));
    const answer = await ask(await card(), SELECT_PPSE);
    expect(answer).toHaveLength(2 * length + 4);
    expect(answer).toBe(toHex((await answerOf(length)(SELECT_PPSE))!));
  }
});

test('PN532 driver: a removed card stays lost, and the next card is activated', async () => {
  const { card, ask, tray } = fixture({ card: fakeChip() });
  const first = await card();
  expect(await ask(first, SELECT_PPSE)).toContain('9000');
  tray.remove();
  expect(await ask(first, SELECT_PPSE)).toMatch(/^CardLostError: /);
  tray.insert(fakeChip());
  expect(await ask(first, SELECT_PPSE)).toMatch(/^CardLostError: /);
  expect(await ask(await card(), SELECT_PPSE)).toContain('9000');
});

test('PN532 driver: fails when a card stops responding, and waits for a slow one', async () => {
  const { card, ask, tray, clock } = fixture({ card: fakeChip(() => undefined) });
  expect(await ask(await card(), SELECT_PPSE)).toBe('CardLostError: the card does not answer');
  tray.insert(fakeChip(slowly(clock, 4_000)));
  expect(await ask(await card(), SELECT_PPSE)).toContain('9000');
  // Longer than any card may take: the chip is stopped, and works on.
  tray.insert(fakeChip(slowly(clock, 50_000)));
  expect(await ask(await card(), SELECT_PPSE)).toBe('CardLostError: the card did not answer in time');
  tray.insert(fakeChip());
  expect(await ask(await card(), SELECT_PPSE)).toContain('9000');
});

test('PN532 driver: reports a card without ISO/IEC 14443-4 as unreadable', async () => {
  const { card, ask } = fixture({ card: { ...fakeChip(), sak: 0x08 } });
  expect(await ask(await card(), SELECT_PPSE)).toContain('this is not a payment card');
});

test('PN532 driver: an unplugging fails the running command, and the reader reconnects', async () => {
  const { card, ask, unplug, plugIn, slot, within, clock } = fixture({ card: fakeChip() });
  const first = await card();
  unplug();
  expect(await ask(first, SELECT_PPSE)).toMatch(/^Fault: /);
  const waiting = slot.waitForCard(new AbortController().signal).then(String, messageOf);
  expect(await within(1_000, waiting)).toBe('the device is unplugged');
  plugIn();
  await clock.advance(5_000);
  expect(await ask(await card(), SELECT_PPSE)).toContain('9000');
});

test('PN532 diagnose: runs the checks, and gives advice when the chip does not respond', async () => {
  const good = fixture({ card: fakeChip() });
  expect(await good.within(5_000, findings(good))).toEqual([
    'ok open the port: 115200 baud, 8N1',
    'ok wake the chip: it answers',
    'ok read its firmware: PN532 firmware 1.6',
    'ok send bytes there and back: the same bytes came back',
    'ok set it up: done',
    'ok look for a card: a card of type A',
  ]);
  const deaf = fixture({ createTwin: () => ({ name: 'deaf', controls: {}, close: async () => {} }) });
  const found = await deaf.within(20_000, findings(deaf));
  expect(found.at(-1)).toContain(
    'not ok wake the chip: the PN532 does not answer command 14: Check that the board',
  );
  const absent = fixture();
  absent.unplug();
  expect(await absent.within(5_000, findings(absent))).toEqual([
    'not ok open the port: the device is unplugged',
  ]);
});

async function findings(parts: ReturnType<typeof fixture>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { step, ok, detail, advice } of diagnoseChip(parts)) {
    lines.push(`${ok ? '' : 'not '}ok ${step}: ${detail}${advice ? `: ${advice}` : ''}`);
  }
  return lines;
}
