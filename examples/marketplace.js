/** A business joins a marketplace, is verified, sells, and is paid out. */
import { check, main, pay, until, wait } from './api.js';

/** @import { Api, Json } from './api.js' */

const ADDRESS = { lineOne: '1 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };

/** @param {Api} api */
export async function run(api) {
  const accountId = await onboard(api);
  const shop = api.as(accountId);

  const session = await shop.post('/v1/payment-sessions', {
    amount: 20_000,
    currency: 'GBP',
    customerEmail: 'sam@example.com',
    platformFee: 1_500,
  });
  check('the payment is', (await pay(shop, session)).status, 'Captured');
  api.say('sold for 200.00, of which the platform takes 15.00');

  // Money becomes available two business days later; five days reach over any weekend.
  await wait(api, { days: 5 });
  const found = await until('a payout is made', async () => {
    const { items } = await api.get(`/v1/accounts/${accountId}/payouts`);
    return items[0];
  });
  await wait(api, { seconds: 15 });
  const payout = await until('the payout is completed', async () => {
    const now = await api.get(`/v1/accounts/${accountId}/payouts/${found.id}`);
    return now.status === 'Completed' && now;
  });
  checkCalculation(payout);
  const [balance] = (await shop.get('/v1/balances?currency=GBP')).items;
  check('nothing is left', balance.available.amount + balance.pending.amount, 0);
  api.say(
    `paid out: ${payout.amount} pence by ${payout.scheme} to the account ending ${payout.payoutMethod.bankAccount.last4}`,
  );
}

/** @param {Api} api */
async function onboard(api) {
  const account = await api.post('/v1/accounts', {
    onboardingFlow: 'NonHosted',
    entityType: 'Business',
    business: {
      name: 'Corner Goods',
      type: 'PrivateCompany',
      registrationNumber: '01234567',
      registrationDate: '2015-03-02',
      registeredAddress: ADDRESS,
      contactEmail: 'office@corner.example',
      phoneNumber: '+442079460000',
    },
  });
  const path = `/v1/accounts/${account.id}`;
  check('at first verification is', account.verification.status, 'Required');
  const lacking = account.verification.requiredDocuments.map(({ category }) => category);
  api.say(`${account.id} has joined; it lacks ${lacking.join(', ')} and people`);

  await api.post(`${path}/persons`, {
    firstName: 'Ana',
    lastName: 'Reid',
    email: 'ana@corner.example',
    dateOfBirth: '1990-04-01',
    gender: 'Female',
    nationalities: ['GB'],
    address: ADDRESS,
    phoneNumber: '+447700900123',
    businessRoles: ['BusinessContact', 'Director', 'UltimateBeneficialOwner'],
    documents: [{ type: 'Passport', country: 'GB', front: await document(api, account.id, 'passport.png') }],
  });
  const front = await document(api, account.id, 'registration.png');
  await api.patch(path, { business: { documents: [{ type: 'BusinessRegistration', front }] } });
  await api.post(`${path}/payout-methods`, {
    type: 'BankAccount',
    displayName: 'Till account',
    currency: 'GBP',
    country: 'GB',
    bankAccount: {
      bankIdType: 'SortCode',
      bankId: '200000',
      accountNumberType: 'UnitedKingdom',
      accountNumber: '55779911',
    },
  });
  // Nobody submits it: it is looked at by itself once nothing is lacking.
  await wait(api, { seconds: 15 });
  await until(
    'the account is verified',
    async () => (await api.get(path)).verification.status === 'Verified',
  );
  api.say('everything is there, and it is verified');
  return account.id;
}

/**
 * @param {Api} api
 * @param {string} accountId
 * @param {string} name
 */
async function document(api, accountId, name) {
  const form = new FormData();
  form.set('category', 'VerificationDocument');
  form.set('file', new File([new Uint8Array(20_000).fill(7)], name, { type: 'image/png' }));
  return (await api.as(accountId).upload('/v1/files', form)).id;
}

/**
 * What came less what went is what is paid out.
 * @param {Json} payout
 */
function checkCalculation({ amount, payoutCalculation: made }) {
  const came = made.paymentsCapturedAmount + made.splitPaymentsAmount + made.transferredInAmount;
  const went = made.paymentsRefundedAmount + made.platformFeesPaidAmount + made.processingFeesPaidAmount;
  check('the calculation', [came - went, made.payoutAmount], [amount, amount]);
  check('its payments', [made.numberOfPaymentsCaptured, made.platformFeesPaidAmount], [1, 1_500]);
}

await main(import.meta.filename, run);
