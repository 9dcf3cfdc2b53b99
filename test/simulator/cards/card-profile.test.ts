import { expect, test } from 'vitest';
import { createCard } from '../../../simulator/cards/card-profile.ts';
import { profileNamed } from './chip-fixture.ts';

const visa = {
  version: 2,
  title: 'A Visa for this test',
  scheme: 'Visa',
  pan: '4012000000060085',
  expiryMonth: '12',
  expiryYear: '2049',
  fundingType: 'Credit',
  applicationLabel: 'VISA CREDIT',
  aid: 'A0000000031010',
  entryModes: ['Contactless', 'Swipe'],
  pin: { digits: '1234', tries: 3 },
};

test('a card gives away its first six and last four digits, never its number or its PIN', () => {
  const card = createCard('visa', visa);

  expect(card.masked('Contactless')).toEqual({
    scheme: 'Visa',
    bin: '401200',
    last4: '0085',
    expiryMonth: '12',
    expiryYear: '2049',
    entryMode: 'Contactless',
    fundingType: 'Credit',
    applicationLabel: 'VISA CREDIT',
    aid: 'A0000000031010',
  });
  expect(JSON.stringify(card)).not.toContain(visa.pan);
  expect(JSON.stringify(card)).not.toContain('1234');
});

test('a magnetic stripe tells neither application label nor application id', () => {
  const stripe = createCard('visa', visa).masked('Swipe');

  expect(stripe).not.toHaveProperty('applicationLabel');
  expect(stripe).not.toHaveProperty('aid');
  expect(stripe.entryMode).toBe('Swipe');
});

test('a card knows its PIN, and its holder does too', () => {
  const card = createCard('visa', visa);

  expect(card.isPin('1234')).toBe(true);
  expect(card.isPin('1235')).toBe(false);
  expect(card.holderPin()).toBe('1234');
});

test.each([
  ['another version of the form', { version: 1 }, 'version'],
  ['a wrong check digit', { pan: '4012000000060086' }, 'pan'],
  ['a number of another scheme', { scheme: 'Amex' }, 'scheme'],
  ['letters in the number', { pan: '40120000000600XX' }, 'pan'],
  ['no way to be read', { entryModes: [] }, 'entryModes'],
  ['an unknown entry mode', { entryModes: ['Telepathy'] }, 'entryModes'],
  ['a month that is none', { expiryMonth: '13' }, 'expiryMonth'],
  ['a PIN of three digits', { pin: { digits: '123', tries: 3 } }, 'pin.digits'],
  ['a wallet that is no phone', { wallet: 'ApplePay' }, 'wallet'],
  ['a phone without a wallet', { entryModes: ['Wallet'] }, 'wallet'],
  ['no title', { title: undefined }, 'title'],
  ['a misspelt field', { expiryYaer: '2049' }, 'card profile visa'],
])('a profile with %s is refused by name', (_what, change, field) => {
  expect(() => createCard('visa', { ...visa, ...change })).toThrow(field);
});

const chipped = profileNamed('visa-contact-pin');
const withChip = (change: object) => ({ ...chipped, chip: { ...chipped.chip, ...change } });

test.each([
  ['a chip that is not met by contacts, in a card that is', withChip({ contact: undefined }), 'chip.contact'],
  ['a chip in no field, in a card that is tapped', withChip({ contactless: undefined }), 'chip.contactless'],
  ['a PIN for the chip that nobody has', { ...chipped, pin: undefined }, 'chip.offlinePin'],
  [
    'the cryptograms of another network',
    withChip({ cryptogramVersion: 'amex-01' }),
    'chip.cryptogramVersion',
  ],
  ['a chip without application', { ...chipped, aid: undefined }, 'aid'],
  ['a number of which nobody knows how to sign', withChip({ keyIndex: '1' }), 'chip.keyIndex'],
  [
    'a list that does not ask for the amount',
    withChip({ contact: { ...chipped.chip!.contact, cdol1: '9F1A0295055F2A029A039C019F3704' } }),
    'chip.contact.cdol1 does not ask for 9F02/6',
  ],
  [
    'a second cryptogram of nothing',
    withChip({ contact: { ...chipped.chip!.contact, cdol2: undefined } }),
    'chip.contact.cdol2',
  ],
  [
    'a reader that is not asked what it can do',
    withChip({ contactless: { ...chipped.chip!.contactless, pdol: chipped.chip!.contact!.cdol1 } }),
    'chip.contactless.pdol does not ask for 9F66/4',
  ],
  [
    'an offline approval that the chip is never asked for',
    withChip({
      approvesOffline: true,
      contact: { ...chipped.chip!.contact, cdol2: '9F02069F03069F1A0295055F2A029A039C019F3704' },
    }),
    'chip.approvesOffline',
  ],
  ['no way to misbehave after all', withChip({ behaviour: {} }), 'chip.behaviour'],
])('a profile with %s is refused by name', (_what, profile, field) => {
  expect(() => createCard('visa', JSON.parse(JSON.stringify(profile)))).toThrow(field);
});
