import { BusinessInput, personalDetails } from '../accounts/account-holder.schema.ts';

/** One field of the onboarding form. */
export interface Field {
  /** Dotted path of what it fills in. */
  name: string;
  label: string;
  input?: 'text' | 'email' | 'date' | 'tel' | 'url';
  /** Values to choose from, each with its label. */
  options?: readonly (readonly [string, string])[];
  /** Suggested values; the current value may be another one. */
  suggestions?: readonly (readonly [string, string])[];
  optional?: boolean;
  hint?: string;
  /** Several values in one answer, between commas. */
  list?: boolean;
  /** Where there is room, two of these stand side by side. */
  half?: boolean;
  /** What a browser may fill it in with: a token of HTML's `autocomplete`. */
  autocomplete?: string;
}

export interface Section {
  title: string;
  /** The same for a list of steps. */
  step: string;
  note?: string;
  fields: readonly Field[];
}

function addressFields(path: string): Field[] {
  return [
    { name: `${path}.lineOne`, label: 'Address', autocomplete: 'address-line1' },
    { name: `${path}.lineTwo`, label: 'Address, second line', optional: true, autocomplete: 'address-line2' },
    { name: `${path}.city`, label: 'City', half: true, autocomplete: 'address-level2' },
    { name: `${path}.postalCode`, label: 'Postal code', half: true, autocomplete: 'postal-code' },
    {
      name: `${path}.country`,
      label: 'Country',
      get suggestions() {
        return countries();
      },
      half: true,
      autocomplete: 'country',
    },
    {
      name: `${path}.region`,
      label: 'Region or state',
      optional: true,
      half: true,
      autocomplete: 'address-level1',
    },
  ];
}

function humanFields(path: string): Field[] {
  const genders = personalDetails.gender.enum.map((each) => [each, each] as const);
  return [
    { name: `${path}.firstName`, label: 'First name', half: true, autocomplete: 'given-name' },
    { name: `${path}.lastName`, label: 'Last name', half: true, autocomplete: 'family-name' },
    { name: `${path}.email`, label: 'E-mail', input: 'email', half: true, autocomplete: 'email' },
    {
      name: `${path}.phoneNumber`,
      label: 'Phone',
      input: 'tel',
      hint: 'With country code, as in +447700900123',
      half: true,
      autocomplete: 'tel',
    },
    {
      name: `${path}.dateOfBirth`,
      label: 'Date of birth',
      input: 'date',
      half: true,
      autocomplete: 'bday',
    },
    {
      name: `${path}.nationalities`,
      label: 'Nationality',
      get suggestions() {
        return countries();
      },
      half: true,
      list: true,
    },
    { name: `${path}.gender`, label: 'Gender', options: genders },
    ...addressFields(`${path}.address`),
  ];
}

const BUSINESS_TYPES = BusinessInput.properties.type.enum.map(
  (type) => [type, type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')] as const,
);

export const BUSINESS: Section = {
  title: 'Tell us about your business',
  step: 'Business',
  fields: [
    { name: 'business.name', label: 'Registered name', autocomplete: 'organization' },
    { name: 'business.type', label: 'Kind of business', options: BUSINESS_TYPES },
    { name: 'business.registrationNumber', label: 'Registration number', half: true },
    { name: 'business.registrationDate', label: 'Date of registration', input: 'date', half: true },
    { name: 'business.contactEmail', label: 'E-mail', input: 'email', half: true, autocomplete: 'email' },
    {
      name: 'business.phoneNumber',
      label: 'Phone',
      input: 'tel',
      hint: 'With country code, as in +442079460123',
      half: true,
      autocomplete: 'tel',
    },
    { name: 'business.websiteUrl', label: 'Website', input: 'url', optional: true, autocomplete: 'url' },
    ...addressFields('business.registeredAddress'),
  ],
};

export const REPRESENTATIVE: Section = {
  title: 'Tell us about yourself',
  step: 'You',
  note: 'You are entered as a director and owner of the business, and as the one to write to.',
  fields: humanFields('person'),
};

export const INDIVIDUAL: Section = {
  title: 'Tell us about yourself',
  step: 'You',
  fields: humanFields('individual'),
};

export const DOCUMENTS: Section = {
  title: 'Add your documents',
  step: 'Documents',
  note: 'This is a sandbox: it wants no real documents, and puts in samples of its own.',
  fields: [
    {
      name: 'documents',
      label: 'Samples to put in',
      options: [
        ['good', 'Readable ones, which pass'],
        ['invalid', 'Unreadable ones, which are refused'],
      ],
    },
  ],
};

export const PAYOUTS: Section = {
  title: 'Where should your money go?',
  step: 'Bank account',
  note: 'You can leave this for later. Until there is a bank account, the money waits.',
  fields: [
    {
      name: 'payout.currency',
      label: 'Currency',
      options: [
        ['GBP', 'GBP, to a sort code and account number'],
        ['EUR', 'EUR, to an IBAN'],
        ['USD', 'USD, to a routing number and account number'],
      ],
      optional: true,
    },
    {
      name: 'payout.bankId',
      label: 'Sort code or routing number',
      hint: 'Leave it empty for an IBAN',
      optional: true,
    },
    { name: 'payout.accountNumber', label: 'Account number or IBAN', optional: true },
  ],
};

/** Parses a form into the object that its fields describe; empty fields are left out. */
export function parseAnswers(fields: readonly Field[], form: URLSearchParams): Record<string, unknown> {
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

/** Returns the current value of a field, as text; empty when there is none. */
export function valueAt(members: Record<string, unknown>, name: string): string {
  let value: unknown = members;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
}

// Codes that Intl names but that are not countries of ISO 3166-1: reserved codes, groups, placeholders.
const RESERVED = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];

type Countries = readonly (readonly [code: string, name: string])[];

let known: Countries | undefined;

/** Returns the countries of ISO 3166-1 with their English names, sorted by name. Made at the first call, which takes long. */
function countries(): Countries {
  return (known ??= namedCountries());
}

function namedCountries(): [string, string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !RESERVED.includes(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      // Intl maps withdrawn codes to their successors.
      return name && new Intl.Locale(`und-${code}`).region === code ? [[code, name]] : [];
    })
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}
