/** A business joins a marketplace, is verified, takes a payment and gets a payout. */
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
  check('payment status', (await pay(shop, session)).status, 'Captured');
  api.say('a payment of 200.00 is captured, with a platform fee of 15.00');

  // Funds become available two business days later. Five days include any weekend.
  await wait(api, { days: 5 });
  const found = await until('a payout is created', async () => {
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
  check('balance after the payout', balance.available.amount + balance.pending.amount, 0);
  api.say(
    `payout of ${payout.amount} pence by ${payout.scheme} to the bank account ending ${payout.payoutMethod.bankAccount.last4}`,
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
  check('verification of a new account', account.verification.status, 'Required');
  const missing = account.verification.requiredDocuments.map(({ category }) => category);
  api.say(`${account.id} is created; still required: ${missing.join(', ')} and persons`);

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
  // Verification starts automatically once nothing is missing.
  await wait(api, { seconds: 15 });
  await until(
    'the account is verified',
    async () => (await api.get(path)).verification.status === 'Verified',
  );
  api.say('the account is verified');
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
 * Checks that the payout is the sum of credits less the sum of debits.
 * @param {Json} payout
 */
function checkCalculation({ amount, payoutCalculation: calculation }) {
  const credits =
    calculation.paymentsCapturedAmount + calculation.splitPaymentsAmount + calculation.transferredInAmount;
  const debits =
    calculation.paymentsRefundedAmount +
    calculation.platformFeesPaidAmount +
    calculation.processingFeesPaidAmount;
  check('payout amount', [credits - debits, calculation.payoutAmount], [amount, amount]);
  check(
    'payments and fees',
    [calculation.numberOfPaymentsCaptured, calculation.platformFeesPaidAmount],
    [1, 1_500],
  );
}

await main(import.meta.filename, run);
