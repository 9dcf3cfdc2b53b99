import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  maskSecrets,
  maskSecretsInContent,
  maskSecretsInText,
} from '../../../server/platform/mask-secrets.ts';
import { property } from '../../property.ts';

test('mask: hides fields that hold secrets at any depth, and shows the others', () => {
  const body = {
    clientSecret: 'ps_1_secret_abc',
    cardDetails: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2030', cvc: '123' },
    walletDetails: { type: 'ApplePay', applePayToken: 'eyJ2ZXJzaW9uIjoi' },
    chip: { emv: '9F2608AABB', cardData: { scheme: 'AES', ksn: 'FF', cipherText: 'A1B2' } },
    pin: { scheme: 'AES', ksn: 'FF', pinBlock: 'C3D4' },
    keys: ['1', '2', '3', '4', 'enter'],
  };
  expect(maskSecrets(body)).toEqual({
    clientSecret: '··',
    cardDetails: { number: '411111··1111', expiryMonth: '12', expiryYear: '2030', cvc: '··' },
    walletDetails: { type: 'ApplePay', applePayToken: '··' },
    chip: { emv: '9F2608AABB', cardData: { scheme: 'AES', ksn: 'FF', cipherText: '··' } },
    pin: { scheme: 'AES', ksn: 'FF', pinBlock: '··' },
    keys: ['•', '•', '•', '•', 'enter'],
  });
  expect(body.cardDetails.number).toBe('4111111111111111');
});

test.each([
  ['the key sk_sandbox_aB+c/9= was given', 'the key sk_sandbox_·· was given'],
  ['sk_live_abc and sk_abc', 'sk_live_·· and sk_··'],
  ['ps_01ABC_secret_12-34', 'ps_01ABC_secret_··'],
  ['whs_42de08c1-649b', 'whs_··'],
  ['https://shop.test/join?l=al_secret', 'https://shop.test/join?··'],
  ['at https://ann:pw@shop.test/?token=abc, then', 'at https://··@shop.test/?·· then'],
  ['mqtts://server:pw@broker.test:8883', 'mqtts://··@broker.test:8883'],
  ['57114242424242424242D30122010000012345', '5711424··4242D301220··12345'],
  ['card 4242424242424242ABCDEFGHJK used', 'card 424242··4242ABCDEFGHJK used'],
  ['4242424242424242=30122010000012345', '424242··4242=301220··12345'],
  ['ac_9adf547f-131b-43bb-9695-970222782278 is theirs', 'ac_9adf547f-131b-43bb-9695-970222782278 is theirs'],
  ['ps_01K00000004242424242424242_secret_ab', 'ps_01K00000004242424242424242_secret_··'],
  ['paid with 4111 1111 1111 1111 today', 'paid with 411111··1111 today'],
  ['no4111-1111-1111-1111no', 'no411111··1111no'],
  ['call +44 20 7946 0000 at 10:15', 'call +44 20 7946 0000 at 10:15'],
])('mask: a text does not reveal what is hidden: %s', (text, shown) => {
  expect(maskSecretsInText(text)).toBe(shown);
});

test('mask: hides a number that could be a card number, and shows times', () => {
  expect(maskSecrets({ number: 4111111111111111, other: 4111111111111111, short: 1250 })).toEqual({
    number: '··',
    other: '411111··1111',
    short: 1250,
  });
  expect(maskSecrets({ expiresAtMs: 1767603610009, atMs: 1767603610001 })).toEqual({
    expiresAtMs: 1767603610009,
    atMs: 1767603610001,
  });
  expect(maskSecrets({ '4111111111111111': 'as a name' })).toEqual({ '411111··1111': 'as a name' });
});

test('mask: hides numbers that are too large to keep the digits of a card number, and codes and keys as numbers', () => {
  expect(maskSecrets({ cardNumber: 4111111111111112, cvc: 123, keys: 1234, number: 3 })).toEqual({
    cardNumber: '··',
    cvc: '··',
    keys: '••••',
    number: 3,
  });
  expect(maskSecrets({ large: JSON.parse('4242424242424242424'), atMs: 4111111111111111 })).toEqual({
    large: '··',
    atMs: '411111··1111',
  });
});

test.each([
  ['as text', { keys: '1234' }, { keys: '••••' }],
  ['as numbers', { keys: [1, 2, 'enter'] }, { keys: ['•', '•', 'enter'] }],
  ['in one item', { keys: ['12 34'] }, { keys: ['•• ••'] }],
])('mask: hides keys pressed at a terminal, %s', (_, body, shown) => {
  expect(maskSecrets(body)).toEqual(shown);
});

test.each([
  ['{"cvc": "12", "cardNumber": 4111111111111112,', '{"cvc": "··", "cardNumber": 411111··1112,'],
  ['{"keys": ["1","2", "enter", "3', '{"keys": ["•","•", "enter", "•'],
  ['{"keys": [1, 2, 3', '{"keys": [•, •, •'],
  ['{"keys": "1234', '{"keys": "••••'],
  ['{"token": {"pin": "1\\"2"}, "number": "12"', '{"token": {"pin": "··"}, "number": "12"'],
  ["{'secret': 'a', cvc: 123 }", "{'secret': '··', cvc: ·· }"],
  ['"{\\"cvc\\":\\"123\\"}', '"{\\"cvc\\":\\"··\\"}'],
  ['number=4111+1111+1111+1112&cvc=123&note=a+b', 'number=411111··1112&cvc=··&note=a+b'],
  ['card%5Bcvc%5D=123&keys=12&note=4111%201111%201111%201111', 'card%5Bcvc%5D=··&keys=••&note=411111··1111'],
  ['payload=%7B%22cvc%22%3A%22123%22', 'payload={"cvc":"··"'],
  ['token=%E0&x=%', 'token=··&x=%'],
])('mask: a body that is no JSON does not reveal what is hidden: %s', (text, shown) => {
  expect(maskSecretsInContent(text)).toBe(shown);
});

test('mask: a long text does not show what its cut leaves of a card number', () => {
  const numbers = '4111 1111 1111 1111, '.repeat(200);
  for (const shown of [maskSecretsInText(numbers), maskSecretsInContent(numbers)])
    expect(shown).toMatch(/^(?:411111··1111, )+[^,]{0,12}…$/);
});

test('mask: shortens a long body, and a long text', () => {
  const wide = { items: Array.from({ length: 5_000 }, (_, index) => ({ index })) };
  expect(JSON.stringify(maskSecrets(wide)).length).toBeLessThan(10_000);
  expect((maskSecrets({ text: 'x'.repeat(9_000) }) as { text: string }).text).toHaveLength(2_001);
  const deep = JSON.parse('{"a":'.repeat(500) + '1' + '}'.repeat(500)) as object;
  expect(JSON.stringify(maskSecrets(deep)).length).toBeLessThan(200);
});

const cardNumbers = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{11,17}$/))
  .map(([first, rest]) => {
    const digits = `${first}${rest}`;
    let sum = 0;
    for (let place = 0; place < digits.length; place += 1) {
      const digit = Number(digits[digits.length - 1 - place]);
      sum += place % 2 === 1 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
    }
    return digits + String((10 - (sum % 10)) % 10);
  });

property([cardNumbers, fc.string(), fc.string(), fc.constantFrom('', ' ', '-')])(
  'no card number is left in a text, whatever is around it',
  (number, before, after, separator) => {
    const written = number.replace(/(\d{4})(?=\d)/g, `$1${separator}`);
    const shown = JSON.stringify(maskSecrets({ [`${before}x`]: `${before}${written}${after}` }));
    expect(shown).not.toContain(written);
    expect(shown).not.toContain(number);
  },
);

test.each([
  'securityCode',
  'security_code',
  'card_cvc',
  'verification_value',
  'cvv2',
  'CVC',
  'apiKey',
  'api-key',
  'x-api-key',
  'access_token',
  'accessToken',
  'private_key',
  'hostKey',
  'refresh-token',
  'userPassword',
  'client_secret',
  'card[security_code]',
  'card.verification_value',
])('mask: hides the value of %s, in JSON, in broken JSON and in a form', (name) => {
  expect(maskSecrets({ [name]: 'a1b2c3', inside: { [name]: 123 } })).toEqual({
    [name]: '··',
    inside: { [name]: '··' },
  });
  expect(maskSecretsInContent(`{"${name}": "a1b2c3", "${name}": 123,`)).not.toMatch(/a1b2c3|123/);
  expect(maskSecretsInContent(`x=1&${encodeURIComponent(name)}=a1b2c3`)).not.toContain('a1b2c3');
});

test.each(['paginationToken', 'expiryMonth', 'last4', 'scheme', 'idempotencyKeys', 'passwordless'])(
  'mask: shows the value of %s',
  (name) => {
    expect(maskSecrets({ [name]: 'a1b2c3' })).toEqual({ [name]: 'a1b2c3' });
  },
);

test.each([
  ['slashes', '4111/1111/1111/1111'],
  ['three spaces', '4111   1111   1111   1111'],
  ['line breaks', '4111\n1111\r\n1111\n1111'],
  ['full-width digits', '４１１１１１１１１１１１１１１１'],
  ['full-width digits apart', '４１１１ １１１１ １１１１ １１１１'],
  ['Arabic digits', '٤١١١١١١١١١١١١١١١'],
])(
  'mask: hides a card number that is written with %s, as a text, as a number and as a name',
  (_, written) => {
    const shown = '411111··1111';
    expect(maskSecretsInText(`card ${written}.`)).toBe(`card ${shown}.`);
    expect(maskSecrets({ number: written, note: written, [written]: 1 })).toEqual({
      number: shown,
      note: shown,
      [shown]: 1,
    });
    // As JSON that is cut off, in which a line break is an escape.
    expect(maskSecretsInContent(JSON.stringify({ note: written }).slice(0, -1))).toBe(`{"note":"${shown}"`);
  },
);

test('mask: hides known secrets without a form, in values, names and broken JSON', () => {
  const known = ['a-key-of-the-host-that-is-long-enough'];
  const [key] = known;
  expect(maskSecrets({ note: `it is ${key}`, [key!]: [key] }, { known })).toEqual({
    note: 'it is ··',
    '··': ['··'],
  });
  expect(maskSecretsInContent(`{"note": "${key}`, { characters: 2_000, known })).toBe('{"note": "··');
});
