import { idPattern } from '../../../protocol/ids.ts';
import { constantTimeEqual } from '../constant-time-equal.ts';
import type { Services } from '../services.ts';
import { keyForm, type KeyHolder } from '../key-form.ts';
import type { Mode } from '../settings.ts';
import { Refusal } from './refusals.ts';

/** The authenticated caller of a request. */
export interface Caller {
  keyKind: 'secret' | 'public';
  /** Identifies the key for the rate limit. */
  keyHash: string;
  /** The account that holds the key. Its webhooks receive the events of all of its accounts. */
  platformId: string;
  /** The account whose objects this call reads and creates: a linked sub account, or the platform itself. */
  accountId: string;
}

/** The hash of the dashboard's token. */
const PAGE_HASH = 'dashboard';

/** Whether a page of the dashboard calls. */
export function isPage({ keyHash }: Caller): boolean {
  return keyHash === PAGE_HASH;
}

/** In place of the caller of a route that is open to all. */
export const NO_CALLER: Caller = { keyKind: 'public', keyHash: '', platformId: '', accountId: '' };

/**
 * Credentials that a route accepts: `secret` the secret key alone, `dashboard` also the dashboard's token,
 * `sandboxDashboard` the token too, but not with live keys, `public` also the public key; `host` the key of the server for
 * all its sandboxes, which is the secret key unless it has one, and `hostDashboard` also the dashboard's token unless it has
 * one; `open` needs none.
 */
export type Access =
  'secret' | 'dashboard' | 'sandboxDashboard' | 'public' | 'host' | 'hostDashboard' | 'open';

// `Bearer sk_…` and `Basic …` as other APIs expect, or a scheme without a key.
const AUTH_SCHEME = /\s|^(?:bearer|basic)$/i;
const ACCOUNT_ID = new RegExp(idPattern('account'));

interface Credentials {
  authorization?: string | undefined;
  account?: string | string[] | undefined;
}

/**
 * Authenticates the headers of a request to a route with this access. Returns the caller at once when nothing has to be
 * read: the key is known, and there is no Account header.
 */
export type Authenticate = (
  access: Exclude<Access, 'open'>,
  headers: Credentials,
) => Caller | Promise<Caller>;

/**
 * Returns a function that authenticates a request by its Authorization and Account headers (Spec §5).
 * @throws Refusal 401 without a key, 403 for a key or token that is invalid for the route, 400 and 403 for the Account header.
 */
export function authenticator(services: Services): Authenticate {
  const { accounts, store, settings } = services;
  // The holder of a key never changes while the server runs. Accounts may, by a reset on any instance, and are not cached.
  const holders = new Map<string, KeyHolder>();

  async function holderOf(key: string, access: Access): Promise<KeyHolder> {
    const known = holders.get(key);
    if (known) return known;
    if (constantTimeEqual(key, settings.dashboardToken)) {
      if (!opensWithToken(access, settings.mode)) throw new Refusal('dashboard_token');
      // The page acts for the holder of the secret key, with a rate limit of its own.
      return { ...(await holderOf(settings.secretKey, access)), hash: PAGE_HASH };
    }
    const form = keyForm(key);
    const holder = form?.mode === settings.mode ? await accounts.findKey(store, key) : undefined;
    if (!holder) throw new Refusal('bad_key');
    holders.set(key, holder);
    return holder;
  }

  async function accountFor(header: string, platformId: string): Promise<string> {
    if (!ACCOUNT_ID.test(header)) throw new Refusal('account_malformed');
    if (header === platformId) return platformId;
    if ((await accounts.findPlatformId(store, header)) !== platformId)
      throw new Refusal('account_not_linked');
    return header;
  }

  async function hostCaller(key: string, hostKey: string): Promise<Caller> {
    if (!constantTimeEqual(key, hostKey)) throw new Refusal('not_the_host_key');
    return toCaller({ ...(await holderOf(settings.secretKey, 'secret')), hash: 'host' });
  }

  async function readCaller(access: Access, key: string | undefined, headers: Credentials): Promise<Caller> {
    if (!key) throw new Refusal('no_credentials');
    if (AUTH_SCHEME.test(key)) throw new Refusal('key_not_alone');
    if (isOfHost(access) && settings.hostKey !== undefined) return hostCaller(key, settings.hostKey);
    const holder = await holderOf(key, access);
    if (!isAllowed(holder, access)) throw new Refusal('public_key');
    const account = Array.isArray(headers.account) ? headers.account.join() : headers.account;
    return toCaller(holder, account && (await accountFor(account, holder.accountId)));
  }

  return (access, headers) => {
    const key = headers.authorization?.trim();
    const known = key === undefined || isOfHost(access) ? undefined : holders.get(key);
    if (known && !headers.account && isAllowed(known, access)) return toCaller(known);
    return readCaller(access, key, headers);
  };
}

function opensWithToken(access: Access, mode: Mode): boolean {
  return (
    access === 'dashboard' ||
    access === 'hostDashboard' ||
    (access === 'sandboxDashboard' && mode === 'sandbox')
  );
}

function isOfHost(access: Access): boolean {
  return access === 'host' || access === 'hostDashboard';
}

function isAllowed(holder: KeyHolder, access: Access): boolean {
  return access === 'public' || holder.kind === 'secret';
}

function toCaller({ kind, hash, accountId: platformId }: KeyHolder, accountId?: string): Caller {
  return { keyKind: kind, keyHash: hash, platformId, accountId: accountId || platformId };
}
