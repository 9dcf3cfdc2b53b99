import { toTimestamp } from '../../../protocol/clock.ts';
import { ID_FORMS } from '../../../protocol/ids.ts';
import { Email, Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { insertLink, type LinkKind } from './account-link.records.ts';
import { findAccountByEmail, findSubAccount } from '../accounts/account.records.ts';
import { refuseInsecure } from '../accounts/account.rules.ts';
import { AccountLink, RedirectUrl } from './account-link.schema.ts';

/** How long a link is good (docs/choices.md, Account links). */
export const LINK_MS = 2 * 60 * 60 * 1000;

/** Paths of the pages that links lead to, and what the token is called in their query. */
export const LINK_PAGES: Record<LinkKind, { path: string; parameter: string }> = {
  join: { path: '/join', parameter: 'l' },
  signin: { path: '/signin', parameter: 'atl' },
};

const common = { section: 'Spec §4.3', reply: AccountLink };

async function makeLink(
  { clock, ids, settings, store }: Services,
  kind: LinkKind,
  accountId: string,
  redirectUrl: string,
): Promise<Static<typeof AccountLink>> {
  const nowMs = clock.nowMs();
  const token = kind === 'join' ? ID_FORMS.accountLink.prefix + ids.secret(24) : ids.secret(24);
  const link = { token, kind, accountId, redirectUrl, expiresMs: nowMs + LINK_MS };
  await store.transaction((tx) => insertLink(tx, link, nowMs));
  const { path, parameter } = LINK_PAGES[kind];
  return {
    createdTimestamp: toTimestamp(nowMs),
    expiresTimestamp: toTimestamp(link.expiresMs),
    url: `${settings.publicUrl}${path}?${parameter}=${token}`,
  };
}

const authorizeAccountRoute = route({
  ...common,
  tag: 'Account',
  operation: 'POST /accounts/authorize',
  summary: 'Ask the holder of a Hosted sub account to let the platform act for it',
  body: Type.Object({
    email: withDescription(Email, 'Email address of the account holder'),
    redirectUrl: RedirectUrl,
  }),
  refusals: ['not_found'],
  async handle({ services, caller, body: { email, redirectUrl } }) {
    refuseInsecure(redirectUrl);
    const account = await findAccountByEmail(services.store, caller.platformId, email);
    if (!account) throw new Refusal('not_found', { what: 'account with this email' });
    return makeLink(services, 'signin', account.id, redirectUrl);
  },
});

const createAccountLinkRoute = route({
  ...common,
  tag: 'Account link',
  operation: 'POST /account-links',
  summary: 'Make a link to the page on which somebody completes a Hosted sub account',
  body: Type.Object({
    accountId: Type.String({ description: 'A Hosted sub account' }),
    redirectUrl: RedirectUrl,
  }),
  refusals: ['not_found', 'account_non_hosted'],
  async handle({ services, caller, body: { accountId, redirectUrl } }) {
    refuseInsecure(redirectUrl);
    const account = await findSubAccount(services.store, caller.platformId, accountId);
    if (!account) throw new Refusal('not_found', { what: 'account' });
    if (account.onboarding_flow !== 'Hosted') throw new Refusal('account_non_hosted');
    return makeLink(services, 'join', account.id, redirectUrl);
  },
});

export const accountLinkRoutes: readonly Route[] = [authorizeAccountRoute, createAccountLinkRoute];
