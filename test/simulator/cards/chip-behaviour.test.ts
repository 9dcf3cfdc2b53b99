import { expect, test } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import type { ChipCardProfile } from '../../../simulator/cards/card-profile.ts';
import { CHIP_CARD_NAMES, createChip, createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/card-files.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { newCard, PlainTerminal, profileNamed } from './chip-fixture.ts';

const SELECT_VISA = '00A4040007A0000000031010';

test('createChipCard: every chip card has the interfaces of its profile', () => {
  for (const name of CHIP_CARD_NAMES) {
    const { entryModes } = profileNamed(name);
    const expected = [
      ...(entryModes.includes('Contact') ? ['Contact'] : []),
      ...(entryModes.some((mode) => mode === 'Contactless' || mode === 'Wallet') ? ['Contactless'] : []),
    ];
    expect(newCard(name)).toMatchObject({ name, technologies: expected });
  }
});

test('createChipCard: returns undefined for an unknown card', () => {
  for (const name of ['visa-swipe', 'visa', '', 'constructor', '__proto__']) {
    expect(createChipCard(name)).toBeUndefined();
  }
});

test('createChipCard: the same name and seed give the same responses, each call a new card', async () => {
  const read = async () => {
    const terminal = new PlainTerminal(createChipCard('visa-contactless')!, 'Contactless');
    terminal.known.set('9F66', '27800000');
    await terminal.begin('A0000000031010');
    return [...terminal.known];
  };

  expect(await read()).toEqual(await read());
  const other = new PlainTerminal(
    createChipCard('visa-contactless', { random: seededRandom('another') })!,
    'Contactless',
  );
  other.known.set('9F66', '27800000');
  await other.begin('A0000000031010');
  expect(new Map(await read()).get('9F69')).not.toBe(other.known.get('9F69'));
});

test.each(['Contact', 'Contactless'] as const)(
  'chip: a torn card responds to four commands by %s',
  async (technology) => {
    const card = newCard('visa-torn');
    const terminal = new PlainTerminal(card, technology);
    await terminal.select('A0000000031010');
    const pdol = terminal.known.get('9F38');
    const options = pdol
      ? `83${(terminal.valuesFor(pdol).length / 2).toString(16)}${terminal.valuesFor(pdol)}`
      : '8300';
    await terminal.command('80A80000', options);
    expect(await terminal.send('00B2011400')).toMatchObject({ sw: '9000' });
    expect(await terminal.send('00B2021400')).toMatchObject({ sw: '9000' });

    expect(await terminal.raw('00B2011C00')).toBeUndefined();
    expect(await terminal.raw('00B2011C00')).toBeUndefined();
    const again = new PlainTerminal(card, technology);
    expect(await again.raw(SELECT_VISA), 'it responds again after a new power on').toBeDefined();
  },
);

test('chip: an unreadable card never responds', async () => {
  for (const technology of ['Contact', 'Contactless'] as const) {
    const terminal = new PlainTerminal(newCard('visa-unreadable'), technology);
    expect(await terminal.raw(SELECT_VISA)).toBeUndefined();
  }
});

test('chip: a missing interface never responds', async () => {
  const terminal = new PlainTerminal(newCard('visa-contactless'), 'Contact');

  expect(await terminal.raw(SELECT_VISA)).toBeUndefined();
});

test('chip: a slow card responds after 600 ms', async () => {
  const clock = new VirtualClock(0);
  const terminal = new PlainTerminal(newCard('visa-slow', clock), 'Contactless');
  let response: unknown;

  const responded = terminal.raw(SELECT_VISA).then((answer) => (response = answer));
  await clock.advance(599);
  expect(response).toBeUndefined();
  await clock.advance(1);
  await responded;
  expect(response).toMatchObject({ sw: '9000' });
});

test('chip: a blocked application is listed and cannot be started', async () => {
  const terminal = new PlainTerminal(newCard('visa-blocked-application'), 'Contactless');
  const directory = await terminal.select(Buffer.from('2PAY.SYS.DDF01').toString('hex'));
  expect(directory).toMatchObject({ sw: '9000', data: expect.stringContaining('A0000000031010') });

  expect(await terminal.select('A0000000031010')).toEqual({ sw: '6283', data: '' });
  expect(await terminal.command('80A80000', `8321${'00'.repeat(33)}`)).toMatchObject({ sw: '6985' });
});

test('chip: the transaction counter continues over sessions and interfaces', async () => {
  const card = newCard('visa-contact-pin');
  for (const expected of ['0065', '0066', '0067']) {
    const terminal = new PlainTerminal(card, 'Contact');
    await terminal.begin('A0000000031010');
    expect(await terminal.send('80CA9F3600')).toEqual({ sw: '9000', data: `9F3602${expected}` });
  }
  const terminal = new PlainTerminal(card, 'Contactless');
  await terminal.begin('A0000000031010');
  expect(terminal.known.get('9F36'), 'both interfaces share the counter').toBe('0068');
});

test('chip: GET PROCESSING OPTIONS returns 6985 once the transaction counter has reached its maximum', async () => {
  const name = 'visa-contact-pin';
  const profile = structuredClone(profileNamed(name)) as ChipCardProfile;
  profile.chip.transactionCounter = 0xfffe;
  const issued = parseIssuedChip(name, ISSUED_CHIPS[name]);
  const card = createChip(name, profile, issued, { random: seededRandom(name), clock: new VirtualClock(0) });
  const begin = async () => {
    const terminal = new PlainTerminal(card, 'Contact');
    await terminal.select('A0000000031010');
    return (await terminal.command('80A80000', '8300')).sw;
  };

  expect(await begin()).toBe('9000');
  expect(await begin()).toBe('6985');
});
