import { accounts, profileOf, requireAccount, type AccountRow } from '../../api/accounts/account.records.ts';
import { readAccountResource } from '../../api/accounts/account-view.ts';
import { payoutMethods, type PayoutMethodRow } from '../../api/accounts/payout-method.records.ts';
import { toPerson, personOf, persons, type PersonRow } from '../../api/accounts/person.records.ts';
import { type FileRow, files } from '../../api/files/file.records.ts';
import { payoutStateOf } from '../../api/payouts/payout.machine.ts';
import { payouts, toPayout, type PayoutRow } from '../../api/payouts/payout.records.ts';
import { type WalletDomainRow, walletDomains } from '../../api/wallets/wallet-domain.records.ts';
import { accountActions, payoutActions, payoutMethodActions, personActions } from './account-actions.ts';
import { objectType, shownBy, tableOf } from './object-type.ts';

export const account = objectType<AccountRow>({
  ...tableOf(accounts),
  account: 'id',
  category: 'type',
  references: [
    { to: 'account', column: 'platform_id' },
    { to: 'file', where: "(COALESCE(business, '') || COALESCE(individual, '')) LIKE ?", inText: true },
  ],
  show: async ({ store }, rows) =>
    Promise.all(rows.map(async ({ id }) => readAccountResource(store, await requireAccount(store, id)))),
  label: (row) => row.name,
  state: (row) => profileOf(row).verification.phase,
  actions: accountActions,
});

export const person = objectType<PersonRow>({
  ...tableOf(persons),
  references: [{ to: 'file', where: 'documents LIKE ?', inText: true }],
  show: shownBy(toPerson),
  label(row) {
    const { firstName, lastName } = personOf(row).details;
    return `${firstName} ${lastName}`;
  },
  state: (row) => personOf(row).verification.phase,
  actions: personActions,
});

export const payoutMethod = objectType<PayoutMethodRow>({
  ...tableOf(payoutMethods),
  status: 'status',
  references: [],
  show: shownBy((row) => payoutMethods.show(row)),
  label: (row) => row.display_name ?? `${row.country} ${row.currency}`,
  actions: payoutMethodActions,
});

export const payout = objectType<PayoutRow>({
  ...tableOf(payouts),
  status: 'status',
  category: 'schedule_type',
  references: [
    {
      to: 'payoutMethod',
      column: 'method_id',
      where: `id IN (SELECT paid.id FROM payout_methods AS method
        JOIN payouts AS paid ON paid.account_id = method.account_id AND paid.method_id = method.id
        WHERE method.id = ?)`,
    },
  ],
  show: shownBy(toPayout),
  label: (row) => row.schedule_type,
  state: (row) => payoutStateOf(row.status),
  actions: payoutActions,
});

export const walletDomain = objectType<WalletDomainRow>({
  ...tableOf(walletDomains),
  references: [],
  show: shownBy((row) => walletDomains.show(row)),
  label: (row) => row.domain_name,
});

export const file = objectType<FileRow>({
  ...tableOf(files),
  category: 'category',
  references: [],
  show: shownBy((row) => files.show(row)),
  label: (row) => row.name,
});
