import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isPinOf } from '../../../../server/bank/issuer/issued-cards.ts';

const PROFILES = new URL('../../../../simulator/cards/profiles/', import.meta.url);

interface Profile {
  pan: string;
  pin?: { digits: string };
}

const profiles = readdirSync(PROFILES).map((file): [string, Profile] => [
  file,
  JSON.parse(readFileSync(new URL(file, PROFILES), 'utf8')) as Profile,
]);

test.each(profiles.filter(([, { pin }]) => pin))(
  'issued cards: the issuer knows the PIN that the cardholder of %s enters',
  (_, { pan, pin }) => {
    expect(isPinOf(pan, pin!.digits)).toBe(true);
    expect(isPinOf(pan, `${pin!.digits}0`)).toBe(false);
  },
);

test('issued cards: a card of another issuer has no PIN', () => {
  expect(isPinOf('4242424242424242', '1234')).toBe(false);
});
