import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCheckout } from '../kit/checkout.ts';
import { uploadForm } from '../kit/form.ts';
import { individual, person } from '../server/api/accounts/account-bodies.ts';
import { libraryWorld, type LibraryWorld, type NodeLibrary } from './node-library.ts';
import { BUSINESS, EARNED_MINUTES, earn } from './one-of-each.ts';

let at: LibraryWorld;

const call = (...given: Parameters<NodeLibrary['call']>) => at.call(...given);

const page = (...ids: string[]) => ({ items: ids.map((id) => expect.objectContaining({ id })) });

describe.each(['off', 'on'] as const)('with STRICT=%s', (strict) => {
  beforeEach(async () => {
    at = await libraryWorld({ strict });
  });
  afterEach(() => at.world.close());

  test('Node library: accounts, accountLinks, persons, files', async () => {
    const terms = { acceptance: { ipAddress: '127.0.0.1', userAgent: 'A browser', when: 1_760_000_000 } };
    const settings = { payouts: { schedule: { type: 'Automatic' } } };
    const made = { ...BUSINESS, metadata: { shop: '1' }, settings, termsOfService: terms };
    const { id } = await call('accounts.create', { body: made });
    const file = await call('files.create', { account: id, form: uploadForm('VerificationDocument') });
    expect(await call('files.get', { account: id, ids: [file.id] })).toEqual(file);
    const evidence = await call('files.create', {
      form: uploadForm('Evidence', { name: 'a.pdf', type: 'application/pdf' }),
    });
    expect(await call('files.list', { query: ['Evidence', true, 5] })).toMatchObject(page(evidence.id));
    const wrong = { name: 'a.exe', type: 'application/octet-stream' };
    await expect(call('files.create', { form: uploadForm('Evidence', wrong) })).rejects.toMatchObject({
      status: 415,
    });

    const documents = [{ type: 'BusinessRegistration', front: file.id, back: null }];
    const business = { type: 'PrivateCompany', tradingName: null, documents };
    expect(await call('accounts.update', { ids: [id], body: { business } })).toMatchObject({ id });
    expect(await call('accounts.get', { ids: [id] })).toMatchObject({
      business: { documents: [{ front: file.id }] },
    });
    await expect(call('accounts.get', { ids: ['ac_none'] })).rejects.toMatchObject({
      status: 404,
      response: { errors: [{ code: 'not_found' }] },
    });

    const { id: personId } = await call('persons.create', { ids: [id], body: person });
    await call('persons.update', { ids: [id, personId], body: { phoneNumber: '+447700900124' } });
    expect(await call('persons.get', { ids: [id, personId] })).toMatchObject({
      phoneNumber: '+447700900124',
    });
    expect(await call('persons.list', { ids: [id], query: [false, 5] })).toMatchObject(page(personId));
    expect(await call('accounts.verify', { ids: [id] })).toMatchObject({ id });
    expect(await call('persons.delete', { ids: [id, personId] })).toMatchObject({ id: personId });

    const hosted = { onboardingFlow: 'Hosted', email: individual.email };
    const { id: accountId } = await call('accounts.create', { body: hosted });
    const redirectUrl = 'https://shop.example/back';
    const link = {
      createdTimestamp: expect.any(Number),
      expiresTimestamp: expect.any(Number),
      url: expect.any(String),
    };
    const body = { accountId, redirectUrl };
    expect(await call('accountLinks.generateTemporaryAccountLink', { body })).toEqual(link);
    expect(await call('accounts.createAuthLink', { body: { email: individual.email, redirectUrl } })).toEqual(
      link,
    );
    expect(at.library.uncalled('accounts')).toEqual([]);
  });

  test('Node library: payouts, payoutMethods, balances, balanceTransactions, transfers, conversions', async () => {
    const account = at.world.subAccountId;
    const ids = [account];
    const { payoutMethodId } = await earn(at.world, account);
    await at.world.advance({ minutes: EARNED_MINUTES });
    const order = { amount: 1000, currency: 'GBP', payoutMethodId, metadata: null };
    const payout = await call('payouts.create', { ids, body: order });
    const other = await call('accounts.createPayout', { ids, body: order });
    for (const resource of ['payouts.get', 'accounts.getPayout'])
      expect(await call(resource, { ids: [account, payout.id] })).toMatchObject({ id: payout.id });
    const [start, end] = at.window();
    for (const resource of ['payouts.list', 'accounts.listPayouts']) {
      const first = await call(resource, { ids, query: [start, end, true, 1] });
      expect(first).toMatchObject(page(payout.id));
      const next = [start, end, true, 1, first.paginationToken];
      expect(await call(resource, { ids, query: next })).toMatchObject(page(other.id));
    }

    expect(await call('payoutMethods.get', { ids: [account, payoutMethodId] })).toMatchObject({
      status: 'Valid',
    });
    const { bankAccount } = BANK_ACCOUNT;
    const changed = { displayName: 'Second', bankAccount: { ...bankAccount, accountNumber: '00000222' } };
    await call('payoutMethods.update', { ids: [account, payoutMethodId], body: changed });
    const dollars = await call('payoutMethods.create', {
      ids,
      body: {
        type: 'BankAccount',
        currency: 'EUR',
        country: 'DE',
        bankAccount: { accountNumberType: 'Iban', accountNumber: 'DE89370400440532013000', address: null },
      },
    });
    expect(await call('payoutMethods.list', { ids, query: [true, 25] })).toMatchObject(
      page(payoutMethodId, dollars.id),
    );
    expect(await call('payoutMethods.delete', { ids: [account, dollars.id] })).toMatchObject({
      id: dollars.id,
    });

    expect((await call('balances.list', { account, query: ['GBP'] })).items).toMatchObject([
      { currency: 'GBP' },
    ]);
    const moved = await call('balanceTransactions.list', { account, query: [5, undefined, payout.id] });
    expect(moved.items.length).toBeGreaterThan(1);

    const pull = { amount: 500, currency: 'GBP', source: { accountId: account }, reason: 'rent' };
    const transfer = await call('transfers.transfer', { body: pull });
    expect(transfer).toMatchObject({ status: 'Completed', source: { accountId: account } });
    expect(await call('transfers.get', { ids: [transfer.id] })).toEqual(transfer);
    expect(await call('transfers.list', { query: [false, 5] })).toMatchObject(page(transfer.id));

    const rate = await call('conversions.getRate', { account, query: ['EUR', 'GBP', 1000] });
    expect(rate.rate).toBeDefined();
    const sell = { sell: { amount: 1000, currency: 'EUR' }, buy: { currency: 'GBP' }, termAgreement: true };
    const conversion = await call('conversions.create', { account, body: sell });
    expect(await call('conversions.get', { account, ids: [conversion.id] })).toMatchObject({
      id: conversion.id,
    });
    expect(await call('conversions.list', { account, query: at.window() })).toMatchObject(
      page(conversion.id),
    );
    expect(at.library.uncalled('money')).toEqual([]);
  });

  test('Node library: disputes, webhooks, applePay', async () => {
    const file = (await call('files.create', { form: uploadForm('Evidence') })).id as string;
    const open = async (): Promise<string> => {
      const session = await openCheckout(at.world.api).captured();
      return (await at.world.api.post(`/sandbox/payment-sessions/${session.id}/disputes`, {})).body.id;
    };
    const [one, other] = [await open(), await open()];
    const evidence = { text: { uncategorised: 'It was sent' }, files: { receipt: { id: file } } };
    await call('disputes.addEvidence', { ids: [one], body: evidence });
    const removed = await call('disputes.deleteEvidence', {
      ids: [one],
      body: { text: [], files: ['receipt'] },
    });
    expect(removed.evidence.text).toEqual({ uncategorised: 'It was sent' });
    expect(await call('disputes.challenge', { ids: [one] })).toMatchObject({ status: 'Challenged' });
    expect(await call('disputes.accept', { ids: [other] })).toMatchObject({ status: 'Accepted' });
    expect(await call('disputes.get', { ids: [one] })).toMatchObject({ status: 'Challenged' });
    expect(await call('disputes.list', { query: [...at.window(), true] })).toMatchObject(page(one, other));

    const endpoint = {
      url: 'https://shop.example/hooks',
      active: true,
      eventTypes: ['PaymentSession.captured'],
    };
    const webhook = await call('webhooks.create', { body: endpoint });
    expect(webhook.secret).toBeDefined();
    await call('webhooks.update', { ids: [webhook.id], body: { ...endpoint, active: false } });
    expect(await call('webhooks.get', { ids: [webhook.id] })).toMatchObject({ active: false });
    expect(await call('webhooks.list')).toMatchObject(page(webhook.id));
    expect(await call('webhooks.delete', { ids: [webhook.id] })).toMatchObject({ id: webhook.id });

    const account = at.world.subAccountId;
    const domainName = 'shop.example';
    const domain = await call('applePay.registerDomain', { account, body: { domainName } });
    expect(await call('applePay.getDomain', { account, ids: [domain.id] })).toMatchObject({ domainName });
    expect(await call('applePay.listDomains', { account, query: [true, 5] })).toMatchObject(page(domain.id));
    const shown = { displayName: 'Shop', domainName };
    expect(await call('applePay.createSession', { account, body: shown })).toHaveProperty('sessionObject');
    expect(await call('applePay.deleteDomain', { account, ids: [domain.id] })).toMatchObject({
      id: domain.id,
    });
    expect(at.library.uncalled('others')).toEqual([]);
  });
});
