import { expect, test } from 'vitest';
import { createCard, parseCardProfile, type CardFile } from '../../../simulator/cards/card-profile.ts';
import { PROFILES } from '../../../simulator/cards/card-files.ts';

const visa = {
  version: 3,
  title: 'A Visa for this test',
  pan: '4012000000060085',
  expiryMonth: '12',
  expiryYear: '2039',
  fundingType: 'Credit',
  applicationLabel: 'VISA CREDIT',
  aid: 'A0000000031010',
  entryModes: ['Contactless', 'Swipe'],
  pin: { tries: 3 },
};

test('createCard: a masked card has the first six and last four digits, and neither card number nor PIN', () => {
  const card = createCard('visa', visa);

  expect(card.masked('Contactless')).toEqual({
    scheme: 'Visa',
    bin: '401200',
    last4: '0085',
    expiryMonth: '12',
    expiryYear: '2039',
    entryMode: 'Contactless',
    fundingType: 'Credit',
    applicationLabel: 'VISA CREDIT',
    aid: 'A0000000031010',
  });
  expect(JSON.stringify(card)).not.toContain(visa.pan);
  expect(JSON.stringify(card)).not.toContain('1234');
});

test('createCard: a masked swipe has neither application label nor application id', () => {
  const stripe = createCard('visa', visa).masked('Swipe');

  expect(stripe).not.toHaveProperty('applicationLabel');
  expect(stripe).not.toHaveProperty('aid');
  expect(stripe.entryMode).toBe('Swipe');
});

test('createCard: checks a PIN, and knows the PIN that its holder enters', () => {
  const card = createCard('visa', visa);

  expect(card.isPin('1234')).toBe(true);
  expect(card.isPin('1235')).toBe(false);
  expect(card.holderPin()).toBe('1234');
});

test.each([
  ['another version of the schema', { version: 2 }, 'version'],
  ['the number of no test card', { pan: '4444333322221111' }, 'pan'],
  ['a scheme, which its number has', { scheme: 'Visa' }, 'card profile visa'],
  ['letters in the number', { pan: '40120000000600XX' }, 'pan'],
  ['no entry mode', { entryModes: [] }, 'entryModes'],
  ['an unknown entry mode', { entryModes: ['Telepathy'] }, 'entryModes'],
  ['an invalid month', { expiryMonth: '13' }, 'expiryMonth'],
  ['a PIN on a number that has none', { pan: '343434343434343' }, 'pin'],
  ['a PIN of its own', { pin: { digits: '4321', tries: 3 } }, 'pin'],
  ['a wallet but no entry mode Wallet', { wallet: 'ApplePay' }, 'wallet'],
  ['the entry mode Wallet but no wallet', { entryModes: ['Wallet'] }, 'wallet'],
  ['no title', { title: undefined }, 'title'],
  ['a misspelt field', { expiryYaer: '2039' }, 'card profile visa'],
])('createCard: throws for a profile with %s, naming the field', (_what, change, field) => {
  expect(() => createCard('visa', { ...visa, ...change })).toThrow(field);
});

const chipped = PROFILES['visa-contact-pin'] as CardFile;
const withChip = (change: object) => ({ ...chipped, chip: { ...chipped.chip, ...change } });

test.each([
  ['an entry mode Contact but no contact part', withChip({ contact: undefined }), 'chip.contact'],
  [
    'an entry mode Contactless but no contactless part',
    withChip({ contactless: undefined }),
    'chip.contactless',
  ],
  ['an offline PIN but no PIN', { ...chipped, pin: undefined }, 'chip.offlinePin'],
  [
    'a cryptogram version of another scheme',
    withChip({ cryptogramVersion: 'amex-01' }),
    'chip.cryptogramVersion',
  ],
  ['a chip but no application id', { ...chipped, aid: undefined }, 'aid'],
  ['an unknown key index', withChip({ keyIndex: '1' }), 'chip.keyIndex'],
  [
    'a CDOL without the amount',
    withChip({ contact: { ...chipped.chip!.contact, cdol1: '9F1A0295055F2A029A039C019F3704' } }),
    'chip.contact.cdol1 does not ask for 9F02/6',
  ],
  [
    'no second CDOL',
    withChip({ contact: { ...chipped.chip!.contact, cdol2: undefined } }),
    'chip.contact.cdol2',
  ],
  [
    'a PDOL without the terminal transaction qualifiers',
    withChip({ contactless: { ...chipped.chip!.contactless, pdol: chipped.chip!.contact!.cdol1 } }),
    'chip.contactless.pdol does not ask for 9F66/4',
  ],
  [
    'offline approval but no response code in the second CDOL',
    withChip({
      approvesOffline: true,
      contact: { ...chipped.chip!.contact, cdol2: '9F02069F03069F1A0295055F2A029A039C019F3704' },
    }),
    'chip.approvesOffline',
  ],
  ['an empty behaviour', withChip({ behaviour: {} }), 'chip.behaviour'],
])('createCard: throws for a chip profile with %s, naming the field', (_what, profile, field) => {
  expect(() => createCard('visa', JSON.parse(JSON.stringify(profile)))).toThrow(field);
});

test.each(Object.keys(PROFILES))(
  'card %s: software that reads years from 40 on as 19xx takes its expiry',
  (name) => {
    expect(Number(parseCardProfile(name, PROFILES[name]).expiryYear)).toBeLessThan(2040);
  },
);
