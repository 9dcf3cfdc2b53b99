import { accountScopeOf } from '../../api/accounts/account.records.ts';
import { balancesOf, toBalance } from '../../api/ledger/balance.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { Row } from '../../platform/store/store.ts';
import type { ObjectSummary } from './object.schema.ts';

/** Account and currency of a balance, which has no id of its own. */
const BALANCE_ID = /^(ac_[0-9a-f-]{36}):([A-Z]{3})$/;

interface OwnAccount extends Row {
  id: string;
  name: string;
  created_ms: number;
}

function ownAccounts({ store }: Context, caller: Caller, accountId?: string): Promise<OwnAccount[]> {
  const { where, parameters } = accountScopeOf(caller, 'id');
  const one =
    accountId === undefined
      ? { where: '1 = 1', parameters: [] }
      : { where: 'id = ?', parameters: [accountId] };
  return store.all<OwnAccount>(
    `SELECT id, name, created_ms FROM accounts WHERE ${where} AND ${one.where} ORDER BY seq`,
    ...parameters,
    ...one.parameters,
  );
}

async function balancesOfAccount({ store, clock }: Context, account: OwnAccount) {
  const sums = await balancesOf(store, account.id, clock.nowMs());
  return sums.map((sum) => toBalance(sum.currency, sum, account.created_ms));
}

function summaryOfBalance(account: OwnAccount, balance: ReturnType<typeof toBalance>): ObjectSummary {
  return {
    id: `${account.id}:${balance.currency}`,
    type: 'balance',
    accountId: account.id,
    label: account.name,
    status: null,
    amount: balance.available.amount,
    currency: balance.currency,
    deleted: false,
    createdTimestamp: balance.lastUpdatedTimestamp,
  };
}

/** Returns the balances of the accounts that a caller controls, or of one of them. */
export async function listBalances(
  services: Context,
  caller: Caller,
  accountId?: string,
): Promise<ObjectSummary[]> {
  const items: ObjectSummary[] = [];
  for (const account of await ownAccounts(services, caller, accountId)) {
    const balances = await balancesOfAccount(services, account);
    items.push(...balances.map((balance) => summaryOfBalance(account, balance)));
  }
  return items;
}

/** Returns the balance of an account in a currency that it has had; undefined for any other id. */
export async function findBalance(services: Context, caller: Caller, id: string) {
  const [, accountId, currency] = BALANCE_ID.exec(id) ?? [];
  if (accountId === undefined) return undefined;
  const [account] = await ownAccounts(services, caller, accountId);
  const balance =
    account && (await balancesOfAccount(services, account)).find((one) => one.currency === currency);
  return account && balance && { summary: summaryOfBalance(account, balance), balance };
}
