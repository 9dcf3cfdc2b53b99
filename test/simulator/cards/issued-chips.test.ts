import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TEST_CA_KEYS } from '../../../agent/emv/test-ca-keys.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { deriveCardKey } from '../../../protocol/cryptography/card-keys.ts';
import { parseCardProfile, type ChipCardProfile } from '../../../simulator/cards/card-profile.ts';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/card-files.ts';
import { PROFILES } from '../../../simulator/cards/card-files.ts';
import {
  AUTHORITY_INDEX,
  issueChip,
  PROVIDERS,
  TEST_MASTER_KEY,
  type NetworkKeys,
} from '../../kit/card-issuer.ts';
import networks from '../../kit/issuer-keys.json' with { type: 'json' };
import {
  recoverCardKey,
  derivedCardKey,
  newCard,
  PlainTerminal,
  profileNamed,
  recovered,
  sha1,
} from './chip-fixture.ts';

const keys = networks as unknown as Record<keyof typeof PROVIDERS, NetworkKeys>;

test('issued chips: each card with a chip has exactly one file in chips/', () => {
  const files = readdirSync(new URL('../../../simulator/cards/chips/', import.meta.url));

  expect(files.map((file) => file.replace(/\.json$/, '')).sort()).toEqual([...CHIP_CARD_NAMES].sort());
  expect(Object.keys(ISSUED_CHIPS).sort()).toEqual([...CHIP_CARD_NAMES].sort());
});

test.each(CHIP_CARD_NAMES)('issued chips: the file of %s is what issueChip makes of its profile', (name) => {
  const profile = parseCardProfile(name, PROFILES[name]) as ChipCardProfile;
  const issued = parseIssuedChip(name, ISSUED_CHIPS[name]);

  expect(issueChip(profile, issued.iccKey, keys[profile.scheme])).toEqual(issued);
});

test('TEST_CA_KEYS: has the keys of the authorities that signed, by RID and index', () => {
  const expected = Object.entries(PROVIDERS).map(([network, rid]) => {
    const { modulus, exponent } = keys[network as keyof typeof PROVIDERS].authority;
    return { rid, index: AUTHORITY_INDEX, exponent, modulus };
  });

  expect(TEST_CA_KEYS).toEqual(expected);
});

const WRONG_KEY = 'visa-wrong-cryptogram';

test.each(CHIP_CARD_NAMES)(
  'issued chips: the key of %s is derived from its card number and the master key',
  (name) => {
    const { pan, chip } = profileNamed(name);
    const { cardKey } = parseIssuedChip(name, ISSUED_CHIPS[name]);
    const evenBits = (hex: string) => toHex(fromHex(hex).map((value) => value & 0xfe));

    const byHand = evenBits(derivedCardKey(pan, chip!.sequenceNumber));
    const derived = toHex(deriveCardKey(fromHex(TEST_MASTER_KEY), pan, chip!.sequenceNumber));
    expect(evenBits(cardKey) === byHand).toBe(name !== WRONG_KEY);
    expect(cardKey === derived).toBe(name !== WRONG_KEY);
  },
);

const INTERFACES = CHIP_CARD_NAMES.filter(
  (name) => !name.endsWith('unreadable') && !/torn|blocked-app/.test(name),
).flatMap((name) => newCard(name).technologies.map((technology) => ({ name, technology })));

test.each(INTERFACES)(
  'issued chips: the certificates of $name by $technology verify up to the certification authority',
  async ({ name, technology }) => {
    const terminal = new PlainTerminal(newCard(name), technology);
    // A Visa in the field shows its certificates to a reader that asks for a signature.
    terminal.known.set('9F66', '37004000');
    const signed = await terminal.begin(profileNamed(name).aid!);

    const key = recoverCardKey(terminal, signed);
    if (name === 'visa-broken-signature') return expect(key).toBeUndefined();
    expect(key?.modulus).toBe(parseIssuedChip(name, ISSUED_CHIPS[name]).iccKey.modulus);
    expect(terminal.known.get('5A')!.replace(/F$/, '')).toBe(profileNamed(name).pan);
    expect(
      recoverCardKey(terminal, `${signed}00`),
      'the certificate signs the static data too',
    ).toBeUndefined();
  },
);

test('issued chips: a static signature covers the records', async () => {
  const terminal = new PlainTerminal(newCard('visa-blocked-pin'), 'Contact');
  const signed = await terminal.begin('A0000000031010');
  const { modulus, exponent } = keys.Visa.issuer;

  const block = recovered(modulus, exponent, terminal.known.get('93')!);
  expect(block.slice(0, 10)).toBe('6A0301DAC1');
  expect(block.slice(-42)).toBe(`${sha1(block.slice(2, -42) + signed + terminal.known.get('82')!)}BC`);
});

test('issued chips: no file has the private key of an issuer or authority', () => {
  const folder = new URL('../../../simulator/cards/chips/', import.meta.url);
  const chips = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const secrets = Object.values(keys).flatMap(({ authority, issuer }) => [authority, issuer]);

  for (const { privateExponent } of secrets) expect(chips.join('')).not.toContain(privateExponent);
});
