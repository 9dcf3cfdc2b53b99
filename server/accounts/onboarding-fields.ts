import { BusinessGiven, human } from './account.schema.ts';

/** One question of the page on which somebody completes an account. */
export interface Field {
  /** Dotted path of what it fills in. */
  name: string;
  label: string;
  input?: 'text' | 'email' | 'date' | 'tel';
  /** To choose from: values and what they are called. */
  options?: readonly (readonly [string, string])[];
  optional?: boolean;
  hint?: string;
  /** Several values in one answer, between commas. */
  list?: boolean;
}

export interface Section {
  title: string;
  note?: string;
  fields: readonly Field[];
}

const COUNTRY_HINT = 'Two letters, such as GB';

function addressFields(path: string): Field[] {
  return [
    { name: `${path}.lineOne`, label: 'Address' },
    { name: `${path}.lineTwo`, label: 'Address, second line', optional: true },
    { name: `${path}.city`, label: 'City' },
    { name: `${path}.postalCode`, label: 'Postal code' },
    { name: `${path}.region`, label: 'Region or state', optional: true },
    { name: `${path}.country`, label: 'Country', hint: COUNTRY_HINT },
  ];
}

function humanFields(path: string): Field[] {
  const genders = human.gender.enum.map((each) => [each, each] as const);
  return [
    { name: `${path}.firstName`, label: 'First name' },
    { name: `${path}.lastName`, label: 'Last name' },
    { name: `${path}.email`, label: 'E-mail', input: 'email' },
    { name: `${path}.phoneNumber`, label: 'Phone', input: 'tel', hint: 'With country code: +447700900123' },
    { name: `${path}.dateOfBirth`, label: 'Date of birth', input: 'date' },
    { name: `${path}.gender`, label: 'Gender', options: genders },
    {
      name: `${path}.nationalities`,
      label: 'Nationality',
      hint: `${COUNTRY_HINT}; several with commas`,
      list: true,
    },
    ...addressFields(`${path}.address`),
  ];
}

const BUSINESS_TYPES = BusinessGiven.properties.type.enum.map(
  (type) => [type, type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')] as const,
);

export const BUSINESS: Section = {
  title: 'Your business',
  fields: [
    { name: 'business.name', label: 'Registered name' },
    { name: 'business.type', label: 'Kind of business', options: BUSINESS_TYPES },
    { name: 'business.registrationNumber', label: 'Registration number' },
    { name: 'business.registrationDate', label: 'Registered on', input: 'date' },
    { name: 'business.contactEmail', label: 'E-mail', input: 'email' },
    { name: 'business.phoneNumber', label: 'Phone', input: 'tel', hint: 'With country code: +442079460123' },
    { name: 'business.websiteUrl', label: 'Web site', optional: true },
    ...addressFields('business.registeredAddress'),
  ],
};

export const REPRESENTATIVE: Section = {
  title: 'You',
  note: 'As a director and owner of the business, and the one to write to.',
  fields: humanFields('person'),
};

export const INDIVIDUAL: Section = { title: 'You', fields: humanFields('individual') };

export const DOCUMENTS: Section = {
  title: 'Documents',
  note: 'This is a sandbox: it wants no real documents, and stands in for them.',
  fields: [
    {
      name: 'documents',
      label: 'They are',
      options: [
        ['good', 'good'],
        ['invalid', 'unreadable, and refused'],
      ],
    },
  ],
};

export const PAYOUTS: Section = {
  title: 'Where money is paid out',
  note: 'May be left for later.',
  fields: [
    {
      name: 'payout.currency',
      label: 'Currency',
      options: [
        ['GBP', 'GBP: sort code and account number'],
        ['EUR', 'EUR: IBAN'],
        ['USD', 'USD: routing number and account number'],
      ],
      optional: true,
    },
    { name: 'payout.bankId', label: 'Sort code or routing number', optional: true },
    { name: 'payout.accountNumber', label: 'Account number or IBAN', optional: true },
  ],
};

/** The answers of a form, as the members that they fill in; questions left open are not there. */
export function answersOf(fields: readonly Field[], form: URLSearchParams): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const { name, list } of fields) {
    const text = form.get(name)?.trim();
    if (text) put(answers, name.split('.'), list ? text.split(/[\s,]+/).filter(Boolean) : text);
  }
  return answers;
}

function put(members: Record<string, unknown>, [name, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) members[name!] = value;
  else put((members[name!] ??= {}) as Record<string, unknown>, rest, value);
}

/** What a field is filled with before it was answered: what is known already. */
export function known(members: Record<string, unknown>, name: string): string {
  let value: unknown = members;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
}
