import { expect, test } from 'vitest';
import type { Route } from '../../../../server/platform/http/route.ts';
import { BARE, DECLARED, PASSED, somePath } from './declared-routes.ts';
import { sampleWith, variantsOf, type Json, type Place } from './schema-samples.ts';
import { smallServer } from './small-server.ts';

/** A form that members have by what they are called, wherever they stand (Spec §2.1). */
interface Form {
  named: RegExp;
  good: Json[];
  bad: Json[];
}

const FORMS: Record<string, Form> = {
  'an E.164 phone number': {
    named: /phoneNumber$/i,
    good: ['+442079460000', '+12025550100', '+123456789012345'],
    bad: [
      '02079460000',
      '442079460000',
      '+0442079460',
      '+44 20 7946',
      '+1234567890123456',
      '+',
      442079460000,
    ],
  },
  'an ISO 4217 currency': {
    named: /^(currency|sellCurrency|buyCurrency)$/,
    good: ['GBP', 'EUR', 'HUF'],
    bad: ['gbp', 'GB', 'GBPX', 'XXX', 'G8P', 826],
  },
  'an ISO 3166 country of two letters': {
    named: /^(country|countryOfBirth)$/,
    good: ['GB', 'US'],
    bad: ['gb', 'GBR', 'G', 'G1', 44],
  },
  'a list of ISO 3166 countries': {
    named: /^(nationalities|tradingCountries)$/,
    good: [['GB'], ['GB', 'FR']],
    bad: [[], ['gb'], ['GBR'], ['GB', 'F'], 'GB'],
  },
  'a calendar date': {
    named: /(^date|Date)(OfBirth)?$/,
    good: ['1990-04-01', '2024-02-29'],
    bad: [
      '01-04-1990',
      '1990/04/01',
      '1990-4-1',
      '1990-13-01',
      '2023-02-29',
      '1990-04-01T00:00:00Z',
      638928000,
    ],
  },
  'an e-mail address': {
    named: /^(email|customerEmail|contactEmail)$/,
    good: ['sam@example.com', 'a@b'],
    bad: ['sam', '@example.com', 'sam@', 'sam smith@example.com', `${'s'.repeat(250)}@b.example`, 1],
  },
  'an amount in whole minor units': {
    named: /^(amount|requested|platformFee|unitPrice|taxAmount|totalAmount|discountAmount)$/,
    good: [1, 1250, 2 ** 53 - 1],
    bad: ['1250', 12.5, 2 ** 53, {}],
  },
  'a moment in epoch seconds': {
    named: /(Timestamp|^when|^expiry)$/,
    good: [1_900_000_000],
    bad: ['tomorrow', '2030-01-01', 1_900_000_000.5],
  },
};

interface Found {
  route: Route;
  place: Place;
}

/** The members of bodies that are called so; what is an object of that name is looked into, not taken. */
function placesNamed(named: RegExp): Found[] {
  const inside = (schema: Json, place: Place): Place[] => {
    if (schema.anyOf) return variantsOf(schema).flatMap((variant) => inside(variant, place));
    if (schema.type === 'array') return inside(schema.items, [...place, 0]);
    return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, member]) => [
      ...(named.test(name) && !['object', 'boolean'].includes(member.type) ? [[...place, name]] : []),
      ...inside(member, [...place, name]),
    ]);
  };
  return DECLARED.filter(({ body, upload }) => body && !upload).flatMap((route) =>
    inside(route.body, []).map((place) => ({ route, place })),
  );
}

// A payment of nothing is a verification, and of what is captured or refunded there is at least one unit: how
// little an amount may be is a rule of each, and of the table of limits.
const ROWS = Object.values(FORMS).map((form, index) => {
  const places = placesNamed(form.named);
  return [places.length, Object.keys(FORMS)[index]!, form, places] as const;
});

test.each(ROWS)(
  'request body: %i fields have to be %s',
  {
    tags: [
      'spec:2.1/phone-numbers',
      'spec:2.1/currencies',
      'spec:2.1/countries',
      'spec:2.1/calendar-dates',
      'spec:2.1/amounts',
      'spec:2.1/timestamps',
      'spec:2.1/email-addresses',
    ],
  },
  async (count, _what, { good, bad }, places) => {
    const { call } = await smallServer(BARE);
    expect(count).toBeGreaterThan(0);
    const wrong: unknown[] = [];
    for (const { route, place } of places) {
      const path = place.join('.');
      const ask = async (value: Json): Promise<string> => {
        const body = sampleWith(route.body, place, value);
        const answer = await call(`${route.method} ${somePath(route)}`, { body });
        const [{ code, message }] = answer.body.errors;
        // An item of a list is blamed by its number.
        return message === PASSED ? 'passed' : `${code} ${message.split(' ')[0].replace(/\.\d+$/, '')}`;
      };
      for (const [values, expected] of [
        [good, 'passed'],
        [bad, `invalid_field ${path}`],
      ] as const) {
        for (const value of values) {
          const answer = await ask(value);
          if (answer !== expected) wrong.push([route.operation, path, value, answer]);
        }
      }
    }
    expect(wrong).toEqual([]);
  },
);
