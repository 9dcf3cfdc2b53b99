import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import type { Api } from '../../../testing/world/api.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { upload } from '../../kit/form.ts';
import type { World } from '../../../testing/world/world.ts';
import { DOCUMENT_TYPES } from '../../../server/api/accounts/document.schema.ts';
import { business, everyRole, individual, person } from '../../server/api/accounts/account-bodies.ts';
import { good, type Json } from '../one-of-each.ts';

const address = {
  lineOne: '1 High St',
  lineTwo: 'Yard',
  city: 'Leeds',
  country: 'GB',
  postalCode: 'LS1 1AA',
  region: 'Yorkshire',
};
const NON_HOSTED = { onboardingFlow: 'NonHosted' };

async function documents(api: Api, accountId: string, types: readonly string[]): Promise<Json[]> {
  const made: Json[] = [];
  for (const type of types) {
    // A name with `invalid` in it is refused when it is looked at.
    const name = type === 'UtilityBill' ? 'invalid.png' : 'scan.png';
    const { id } = good(await upload(api.as(accountId), 'VerificationDocument', { name }));
    made.push({ type, front: id, back: id, country: 'GB' });
  }
  return made;
}

/** Accounts of every kind, on their way through verification. */
export async function everyAccount(world: World, api: Api): Promise<void> {
  good(await api.get(`/v1/accounts/${world.platformId}`));
  const types = ['Corporation', 'GovernmentEntity', 'Charity', 'LimitedPartnership', 'PublicCompany'];
  for (const type of types) {
    good(
      await api.post('/v1/accounts', {
        ...NON_HOSTED,
        entityType: 'Business',
        business: { ...business, type },
        capabilities: { amexPayments: { requested: false } },
      }),
    );
  }
  const whole = {
    ...business,
    registrationDate: '2015-03-02',
    phoneNumber: '+442079460000',
    tradingName: 'Goods',
    tradingAddress: address,
    tradingCountries: ['GB'],
    websiteUrl: 'https://goods.example',
  };
  const acceptance = { ipAddress: '127.0.0.1', userAgent: 'curl' };
  const { id } = good(
    await api.post('/v1/accounts', {
      ...NON_HOSTED,
      entityType: 'Business',
      business: whole,
      termsOfService: { acceptance },
    }),
  );
  const path = `/v1/accounts/${id}`;
  good(await api.post(`${path}/payout-methods`, BANK_ACCOUNT));
  good(await api.patch(path, { documents: await documents(api, id, DOCUMENT_TYPES) }));
  const director = {
    ...person,
    gender: 'Male',
    middleNames: 'Lee',
    countryOfBirth: 'GB',
    businessRoles: everyRole,
  };
  const proof = await documents(api, id, ['Passport']);
  const added = good(await api.post(`${path}/persons`, { ...director, documents: proof }));
  good(
    await api.post(`${path}/persons`, {
      ...person,
      businessRoles: ['Director'],
      documents: await documents(api, id, ['NationalId']),
    }),
  );
  good(await api.get(`${path}/persons?limit=1`));
  good(await api.get(path));
  await world.advance({ seconds: 6 });
  good(await api.get(`${path}/persons/${added.id}`));
  good(await api.get(path));
  await world.advance({ seconds: 6 });
  good(await api.get(path));
  good(await api.post(`/sandbox${path.slice(3)}/persons/${added.id}/verification`, { outcome: 'Required' }));
  good(await api.get(`${path}/persons/${added.id}`));
  good(await api.post(`/sandbox${path.slice(3)}/verification`, { outcome: 'Required' }));
  good(await api.get(path));
  good(await api.patch(`/sandbox${path.slice(3)}/settings`, { frozen: true }));
  good(await api.get(path));
  const { id: other } = good(
    await api.post('/v1/accounts', { ...NON_HOSTED, entityType: 'Business', business }),
  );
  const persons = `/v1/accounts/${other}/persons`;
  const contact = good(await api.post(persons, { ...person, businessRoles: ['BusinessContact'] }));
  good(await api.patch(`${persons}/${contact.id}`, { firstName: 'Bo' }));
  good(await api.delete(`${persons}/${contact.id}`));
  good(await api.as(other).get('/v1/events'));
  good(await api.post(`/v1/accounts/${other}/payout-methods`, { ...BANK_ACCOUNT, displayName: 'invalid' }));
  good(await api.get(`/v1/accounts/${other}`));

  const self = { ...individual, middleNames: 'Lee', countryOfBirth: 'GB', phoneNumber: '+447700900123' };
  for (const gender of ['Male', 'Female']) {
    const body = { ...NON_HOSTED, entityType: 'Individual', individual: { ...self, gender } };
    const one = good(await api.post('/v1/accounts', body));
    good(
      await api.patch(`/v1/accounts/${one.id}`, { documents: await documents(api, one.id, ['Passport']) }),
    );
    good(await api.post(`/v1/accounts/${one.id}/payout-methods`, BANK_ACCOUNT));
    good(await api.get(`/v1/accounts/${one.id}`));
    const unproven = good(await api.post('/v1/accounts', body)).id;
    good(await api.patch(`/sandbox/accounts/${unproven}/settings`, { verifyAboveMinor: { GBP: 0 } }));
    good(await api.post(`/sandbox/accounts/${unproven}/verification`, { outcome: 'Required' }));
    good(await api.get(`/v1/accounts/${unproven}`));
  }
  for (const file of [
    { name: 'a.csv', type: 'text/csv' },
    { name: 'a.jpg', type: 'image/jpeg' },
    { name: 'a.pdf', type: 'application/pdf' },
  ])
    good(await upload(api, 'Evidence', file));
}

const DOLLAR = {
  type: 'BankAccount',
  currency: 'USD',
  country: 'US',
  bankAccount: {
    accountNumberType: 'UnitedStates',
    accountNumber: '000123456789',
    bankIdType: 'RoutingNumber',
    bankId: '110000000',
    address: { lineOne: '1 Main St', city: 'Austin', country: 'US', postalCode: '73301', region: 'TX' },
  },
};
const iban = (currency: string) => ({
  type: 'BankAccount',
  currency,
  country: 'DE',
  bankAccount: { accountNumberType: 'Iban', accountNumber: 'DE89370400440532013000' },
});

const HELD = [
  'Pending',
  'PendingAccountVerification',
  'PendingTransactionVerification',
  'PendingPayoutMethodAction',
  'PendingAccountAction',
];

/** Money that goes out in every way, and what becomes of it on the way. */
export async function everyPayout(world: World, api: Api): Promise<void> {
  const manual = { settings: { payouts: { schedule: { type: 'Manual' } } } };
  const { id } = good(
    await api.post('/v1/accounts', { ...NON_HOSTED, entityType: 'Individual', individual, ...manual }),
  );
  const path = `/v1/accounts/${id}`;
  const branch = openCheckout(api.as(id));
  const methods = new Map<string, string>();
  for (const method of [BANK_ACCOUNT, DOLLAR, iban('EUR'), iban('CAD')]) {
    methods.set(method.currency, good(await api.post(`${path}/payout-methods`, method)).id);
    await branch.captured({ amount: 20_000, currency: method.currency });
  }
  const poor = { ...iban('CHF'), displayName: 'invalid' };
  good(await api.post(`${path}/payout-methods`, poor));
  good(await api.get(`${path}/payout-methods?limit=1`));
  const destination = { accountId: id };
  good(await api.post('/v1/transfers', { amount: 100, currency: 'GBP', destination, metadata: { a: 'b' } }));
  await world.advance({ minutes: 18 * 60 });
  good(await api.as(id).get('/v1/balance-transactions'));
  for (let hours = 0; hours < 5 * 24; hours += 12) {
    await world.advance({ minutes: 12 * 60 });
    good(await api.as(id).get('/v1/balance-transactions'));
  }
  const sell = { amount: 1_000, currency: 'EUR' };
  const order = { sell, buy: { currency: 'GBP' }, termAgreement: true, reason: 'rent', metadata: { a: 'b' } };
  good(await api.as(id).post('/v1/conversions', order));
  good(await api.as(id).post('/v1/conversions', order));
  await world.advance({ minutes: 5 * 24 * 60 });
  good(await api.as(id).get('/v1/conversions?limit=1'));
  const pay = async (currency: string) => {
    const body = { amount: 1_000, currency, payoutMethodId: methods.get(currency), metadata: { a: 'b' } };
    return good(await api.post(`${path}/payouts`, body)).id as string;
  };
  const outcome = async (payout: string, ...statuses: string[]) => {
    for (const status of statuses) good(await api.post(`/sandbox/payouts/${payout}/outcome`, { status }));
    good(await api.get(`${path}/payouts/${payout}`));
  };
  for (const status of HELD) await outcome(await pay('GBP'), status);
  await outcome(await pay('GBP'), 'Pending', 'Cancelled');
  await outcome(await pay('GBP'), 'Pending', 'Expired');
  await outcome(await pay('EUR'), 'Completed', 'Recalled');
  await outcome(await pay('USD'), 'Completed', 'Returned');
  await outcome(await pay('CAD'), 'Failed');
  good(await api.get(`${path}/payouts?limit=1`));
  good(await api.get(path));
  good(await api.as(id).get('/v1/balance-transactions?limit=50'));
}
