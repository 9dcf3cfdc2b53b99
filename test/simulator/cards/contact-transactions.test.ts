import { expect, test } from 'vitest';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import {
  byte,
  recoverCardKey,
  dynamicDataOf,
  expectedCryptogram,
  issuerAnswer,
  newCard,
  PlainTerminal,
  profileNamed,
  sha1,
} from './chip-fixture.ts';

/** Unable to go online, offline approved (EMV 4.4 Book 4 Annex A6). */
const Y3 = Buffer.from('Y3').toString('hex');
const PSE = Buffer.from('1PAY.SYS.DDF01').toString('hex');

/** Cards that live through a whole contact transaction. */
const CONTACT = CHIP_CARD_NAMES.filter((name) => {
  const { chip } = profileNamed(name);
  const { answersOnly, applicationBlocked, declinesOffline } = chip!.behaviour ?? {};
  return chip!.contact && answersOnly === undefined && !applicationBlocked && !declinesOffline;
});
const GENUINE = CONTACT.filter((name) => name !== 'visa-wrong-cryptogram');

async function online(name: string) {
  const card = newCard(name);
  const terminal = new PlainTerminal(card, 'Contact');
  const signed = await terminal.begin(profileNamed(name).aid!);
  const said = await terminal.generate('80', '8C');
  return { card, terminal, signed, said };
}

/** What the issuer says to the card that has just asked, by command or with the second cryptogram. */
async function authenticateIssuer(terminal: PlainTerminal, name: string, code: '00' | '05' = '00') {
  const { key } = expectedCryptogram(terminal, name);
  terminal.known.set('8A', Buffer.from(code).toString('hex'));
  terminal.known.set('91', issuerAnswer(name, key, terminal.known.get('9F26')!, code));
  const byCommand = profileNamed(name).scheme !== 'Mastercard';
  return byCommand ? terminal.command('00820000', terminal.known.get('91')!) : undefined;
}

test('SELECT: the directory lists applications by priority', async () => {
  const terminal = new PlainTerminal(newCard('visa-contact-pin'), 'Contact');

  const selected = await terminal.select(PSE);
  expect(selected).toMatchObject({ sw: '9000', data: expect.stringContaining('880101') });
  const directory = await terminal.send('00B2010C00');
  expect(directory.data).toBe(
    '7037' +
      '61184F07A0000000031010500A56495341204445424954870101' +
      '611B4F07A0000000032010500D5649534120454C454354524F4E870102',
  );
  expect(await terminal.send('00B2020C00')).toMatchObject({ sw: '6A83' });
});

test.each(GENUINE)('chip %s: ARQC, issuer approval, then TC', async (name) => {
  const { card, terminal, said } = await online(name);

  expect(said.sw).toBe('9000');
  expect(terminal.known.get('9F27')).toBe('80');
  expect(terminal.known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);
  const start = profileNamed(name).chip!.transactionCounter;
  expect(terminal.known.get('9F36')).toBe((start + 1).toString(16).toUpperCase().padStart(4, '0'));

  const authenticated = await authenticateIssuer(terminal, name);
  expect(authenticated?.sw ?? '9000').toBe('9000');
  expect(await terminal.generate('40', '8D')).toMatchObject({ sw: '9000' });
  expect(terminal.known.get('9F27')).toBe('40');
  expect(terminal.known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);
  expect(await terminal.send('80CA9F1300')).toEqual({
    sw: '9000',
    data: `9F1302${terminal.known.get('9F36')}`,
  });

  const next = new PlainTerminal(card, 'Contact');
  await next.begin(profileNamed(name).aid!);
  await next.generate('80', '8C');
  expect(next.known.get('9F26'), 'the next transaction is another one').not.toBe(terminal.known.get('9F26'));
  expect(Number.parseInt(next.known.get('9F36')!, 16)).toBe(start + 2);
});

test('chip: a wrong card key gives a wrong cryptogram', async () => {
  const { terminal } = await online('visa-wrong-cryptogram');

  expect(terminal.known.get('9F27')).toBe('80');
  expect(terminal.known.get('9F26')).not.toBe(
    expectedCryptogram(terminal, 'visa-wrong-cryptogram').cryptogram,
  );
  expect(
    await authenticateIssuer(terminal, 'visa-wrong-cryptogram'),
    'its issuer authentication fails too',
  ).toMatchObject({
    sw: '6300',
  });
});

test.each(GENUINE)('chip %s: no TC without issuer approval', async (name) => {
  const silent = await online(name);
  silent.terminal.known.set('8A', '3030').set('91', '');
  await silent.terminal.generate('40', '8D');
  expect(silent.terminal.known.get('9F27'), 'no issuer response').toBe('00');

  const declined = await online(name);
  await authenticateIssuer(declined.terminal, name, '05');
  await declined.terminal.generate('40', '8D');
  expect(declined.terminal.known.get('9F27'), 'declined by the issuer').toBe('00');

  const forged = await online(name);
  const answer = '00'.repeat(7) + '013030';
  forged.terminal.known.set('8A', '3030').set('91', answer);
  if (profileNamed(name).scheme !== 'Mastercard') {
    expect(await forged.terminal.command('00820000', answer)).toMatchObject({ sw: '6300' });
    expect(await forged.terminal.command('00820000', answer), 'once in a transaction').toMatchObject({
      sw: '6985',
    });
  }
  await forged.terminal.generate('40', '8D');
  expect(forged.terminal.known.get('9F27'), 'not from the issuer').toBe('00');
  expect(forged.terminal.known.get('9F26')).toBe(expectedCryptogram(forged.terminal, name).cryptogram);
});

test.each([
  ['visa-contact-pin', '40'],
  ['mastercard-contact-pin', '40'],
  ['amex-contact-pin', '00'],
])(
  'chip %s: a second GENERATE AC for TC with Y3 returns 9F27 = %s, as its profile decides',
  async (name, cid) => {
    const { card, terminal } = await online(name);
    terminal.known.set('8A', Y3).set('91', '');
    expect(await terminal.generate('40', '8D')).toMatchObject({ sw: '9000' });
    expect(terminal.known.get('9F27')).toBe(cid);
    expect(terminal.known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);
    const after = new PlainTerminal(card, 'Contact');
    await after.begin(profileNamed(name).aid!);
    expect(await after.send('80CA9F1300'), 'not an online transaction').toEqual({
      sw: '9000',
      data: '9F13020000',
    });
  },
);

test.each(['visa-contact-pin', 'mastercard-contact-pin'])(
  'chip %s: no TC for Z3, for Y3 with AAC, or for Y3 after its issuer declined or failed authentication',
  async (name) => {
    const declined = await online(name);
    declined.terminal.known.set('8A', Buffer.from('Z3').toString('hex')).set('91', '');
    await declined.terminal.generate('40', '8D');
    expect(declined.terminal.known.get('9F27'), 'Z3').toBe('00');

    const aac = await online(name);
    aac.terminal.known.set('8A', Y3).set('91', '');
    await aac.terminal.generate('00', '8D');
    expect(aac.terminal.known.get('9F27'), 'AAC requested').toBe('00');

    const contradicted = await online(name);
    await authenticateIssuer(contradicted.terminal, name, '05');
    contradicted.terminal.known.set('8A', Y3);
    await contradicted.terminal.generate('40', '8D');
    expect(contradicted.terminal.known.get('9F27'), 'its issuer declined').toBe('00');

    const forged = await online(name);
    forged.terminal.known.set('8A', Y3).set('91', `${'00'.repeat(7)}013030`);
    if (profileNamed(name).scheme !== 'Mastercard') {
      await forged.terminal.command('00820000', forged.terminal.known.get('91')!);
    }
    await forged.terminal.generate('40', '8D');
    expect(forged.terminal.known.get('9F27'), 'not from the issuer').toBe('00');
  },
);

test.each(['AAC', 'TC'] as const)('chip: a first GENERATE AC for %s ends the transaction', async (type) => {
  const control = { AAC: '00', TC: '40' }[type];
  const terminal = new PlainTerminal(newCard('visa-contact-pin'), 'Contact');
  await terminal.begin('A0000000031010');

  await terminal.generate(control, '8C');
  expect(terminal.known.get('9F27')).toBe(control);
  expect(terminal.known.get('9F26')).toBe(expectedCryptogram(terminal, 'visa-contact-pin').cryptogram);
  expect(await terminal.generate('00', '8D')).toMatchObject({ sw: '6985' });
});

test('chip: an offline decline returns AAC for any request', async () => {
  for (const control of ['00', '40', '80', '50', '90']) {
    const terminal = new PlainTerminal(newCard('mastercard-offline-declines'), 'Contact');
    await terminal.begin('A0000000041010');
    await terminal.generate(control, '8C');
    expect(terminal.known.get('9F27')).toBe('00');
    expect(terminal.known.get('9F26')).toBe(
      expectedCryptogram(terminal, 'mastercard-offline-declines').cryptogram,
    );
    expect(terminal.known.has('9F4B')).toBe(false);
  }
});

test.each(['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin'])(
  'chip %s: INTERNAL AUTHENTICATE signs the unpredictable number of the terminal (DDA)',
  async (name) => {
    const terminal = new PlainTerminal(newCard(name), 'Contact');
    const signed = await terminal.begin(profileNamed(name).aid!);
    const key = recoverCardKey(terminal, signed)!;

    const said = await terminal.command('00880000', '52BF4585');
    const signature = said.data.slice(-256);
    expect(dynamicDataOf(key, signature, '52BF4585')).toMatch(/^08[0-9A-F]{16}$/);
    expect(dynamicDataOf(key, signature, '52BF4586')).toBeUndefined();
    const again = await terminal.command('00880000', '52BF4585');
    expect(again.data, 'the dynamic number of the card changes').not.toBe(said.data);
    expect(await terminal.command('00880000', '52BF45')).toMatchObject({ sw: '6700' });
  },
);

test.each(['visa-contact-pin', 'mastercard-contact-pin'])(
  'chip %s: GENERATE AC signs its cryptogram (CDA)',
  async (name) => {
    const terminal = new PlainTerminal(newCard(name), 'Contact');
    const signed = await terminal.begin(profileNamed(name).aid!);
    const key = recoverCardKey(terminal, signed)!;
    const { known } = terminal;
    const hashOf = (sent: string) =>
      sha1(
        `${sent}9F2701${known.get('9F27')}9F3602${known.get('9F36')}9F10${byte(known.get('9F10')!.length / 2)}${known.get('9F10')}`,
      );

    await terminal.generate('90', '8C');
    expect(known.has('9F26'), 'the cryptogram is in the signature alone').toBe(false);
    const first = terminal.valuesFor(known.get('8C')!);
    const dynamicData = dynamicDataOf(key, known.get('9F4B')!, '52BF4585')!;
    expect(dynamicData).toHaveLength(38 * 2);
    expect(dynamicData.slice(18, 20)).toBe('80');
    expect(dynamicData.slice(36)).toBe(hashOf(first));
    known.set('9F26', dynamicData.slice(20, 36));
    expect(known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);

    await authenticateIssuer(terminal, name);
    const second = terminal.valuesFor(known.get('8D')!);
    await terminal.generate('50', '8D');
    const agreed = dynamicDataOf(key, known.get('9F4B')!, '52BF4585')!;
    expect(agreed.slice(18, 20)).toBe('40');
    expect(agreed.slice(36)).toBe(hashOf(first + second));
  },
);
