import { Email, Type, withDescription } from '../../../protocol/schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { createLink } from './account-link.records.ts';
import { findAccountByEmail, accounts } from '../accounts/account.records.ts';
import { refuseInsecureUrl } from '../accounts/account.rules.ts';
import { AccountLink, RedirectUrl } from './account-link.schema.ts';

const common = { section: 'Spec §4.3', reply: AccountLink };

const authorizeAccountRoute = route({
  ...common,
  tag: 'Account',
  operation: 'POST /accounts/authorize',
  summary: 'Create a link on which the holder of a Hosted sub account authorises the platform',
  body: Type.Object({
    email: withDescription(Email, 'Email address of the account holder'),
    redirectUrl: RedirectUrl,
  }),
  refusals: ['not_found'],
  async handle({ services, caller, body: { email, redirectUrl } }) {
    refuseInsecureUrl(redirectUrl);
    return createLink(services, 'signin', redirectUrl, async (tx) => {
      const account = await findAccountByEmail(tx, caller.platformId, email);
      if (!account) throw new Refusal('not_found', { what: 'account with this email' });
      return account;
    });
  },
});

const createAccountLinkRoute = route({
  ...common,
  tag: 'Account link',
  operation: 'POST /account-links',
  summary: 'Create a link to the page on which the holder completes a Hosted sub account',
  body: Type.Object({
    accountId: Type.String({ description: 'A Hosted sub account' }),
    redirectUrl: RedirectUrl,
  }),
  refusals: ['not_found', 'account_non_hosted'],
  async handle({ services, caller, body: { accountId, redirectUrl } }) {
    refuseInsecureUrl(redirectUrl);
    return createLink(services, 'join', redirectUrl, async (tx) => {
      const account = await accounts.find(tx, caller.platformId, accountId);
      if (!account) throw new Refusal('not_found', { what: 'account' });
      if (account.onboarding_flow !== 'Hosted') throw new Refusal('account_non_hosted');
      return account;
    });
  },
});

export const accountLinkRoutes: readonly Route[] = [authorizeAccountRoute, createAccountLinkRoute];
