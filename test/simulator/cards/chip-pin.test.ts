import { expect, test } from 'vitest';
import { newCard } from './chip-fixture.ts';
import { insertedForPin, RIGHT, WRONG } from './pin-terminal.ts';

test('VERIFY: counts wrong PINs down over sessions until no tries are left', async () => {
  const card = newCard('visa-contact-pin');
  const first = await insertedForPin(card);
  expect(await first.triesLeft()).toBe('03');
  expect(await first.plain(WRONG)).toBe('63C2');
  expect(await first.triesLeft()).toBe('02');

  const second = await insertedForPin(card);
  expect(await second.plain(WRONG)).toBe('63C1');
  expect(await second.plain(WRONG)).toBe('63C0');
  expect(await second.plain(RIGHT), 'no tries left').toBe('6983');
  expect(await second.triesLeft()).toBe('00');
  expect(await (await insertedForPin(card)).plain(RIGHT)).toBe('6983');
});

test('VERIFY: the right PIN resets the try counter', async () => {
  const card = newCard('amex-contact-pin');
  const first = await insertedForPin(card);
  expect(await first.plain(WRONG)).toBe('63C2');
  expect(await first.plain(RIGHT)).toBe('9000');
  expect(await first.triesLeft()).toBe('03');
});

test('VERIFY: a card without tries refuses the right PIN', async () => {
  const { plain, triesLeft } = await insertedForPin(newCard('visa-blocked-pin'));

  expect(await triesLeft()).toBe('00');
  expect(await plain(RIGHT)).toBe('6983');
});

test('VERIFY: an enciphered PIN needs a fresh challenge each time', async () => {
  const { challenge, enciphered } = await insertedForPin(newCard('mastercard-contact-pin'));

  const number = await challenge();
  expect(number).toMatch(/^[0-9A-F]{16}$/);
  expect(await enciphered(RIGHT, number)).toBe('9000');
  expect(await enciphered(RIGHT, number), 'the challenge is used up').toBe('6984');
  expect(await enciphered(WRONG, await challenge())).toBe('63C2');
  await challenge();
  expect(await enciphered(RIGHT, '00'.repeat(8)), 'another challenge').toBe('63C1');
  expect(await enciphered(RIGHT, await challenge(), '6F'), 'another header').toBe('63C0');
  expect(await enciphered(RIGHT, await challenge())).toBe('6983');
});

test('VERIFY: a challenge is valid for the next command only', async () => {
  const { terminal, challenge, enciphered } = await insertedForPin(newCard('visa-contact-pin'));

  const number = await challenge();
  await terminal.send('80CA9F1700');
  expect(await enciphered(RIGHT, number)).toBe('6984');
});

test('VERIFY: an enciphered block larger than the modulus costs a try', async () => {
  const { terminal, challenge } = await insertedForPin(newCard('visa-contact-pin'));

  await challenge();
  expect((await terminal.command('00200088', 'FF'.repeat(128))).sw).toBe('63C2');
});

test.each([
  ['another length', '00200080', '241234FFFFFF', '6700'],
  ['another qualifier', '00200081', RIGHT, '6A86'],
  ['a first parameter', '00200180', RIGHT, '6A86'],
  ['half a key', '00200088', '00'.repeat(64), '6700'],
])('VERIFY: with %s is refused and costs no try', async (_what, header, data, sw) => {
  const { terminal, triesLeft } = await insertedForPin(newCard('visa-contact-pin'));

  expect(await terminal.command(header, data)).toMatchObject({ sw });
  expect(await triesLeft()).toBe('03');
});

test('VERIFY: refuses a PIN format that the card does not support', async () => {
  const { terminal, triesLeft } = await insertedForPin(newCard('amex-contact-pin'));

  expect(await terminal.command('00200088', '00'.repeat(128))).toMatchObject({ sw: '6A86' });
  expect(await triesLeft()).toBe('03');
});

test('VERIFY: runs before the cryptogram only, and sets the card verification results', async () => {
  const resultsAfter = async (block: string | undefined) => {
    const { terminal, plain } = await insertedForPin(newCard('visa-contact-pin'));
    if (block) await plain(block);
    await terminal.generate('80', '8C');
    expect(await plain(RIGHT)).toBe('6985');
    return terminal.known.get('9F10')!.slice(6);
  };

  expect(await resultsAfter(undefined)).toBe('03A00000');
  expect(await resultsAfter(RIGHT)).toBe('03A40000');
  expect(await resultsAfter(WRONG)).toBe('03A60000');
});
