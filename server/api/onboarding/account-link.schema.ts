import { CreatedTimestamp, Timestamp, Type, withDescription } from '../../../protocol/schema.ts';
import { Url } from '../../platform/http/url.schema.ts';
import { AccountUpdate } from '../accounts/account.schema.ts';
import { PersonUpdate } from '../accounts/person.schema.ts';

/** A temporary link to a hosted page of this server (Spec §4.3). */
export const AccountLink = Type.Object(
  {
    createdTimestamp: withDescription(
      CreatedTimestamp,
      'Time at which the link was created: a Unix timestamp, in seconds',
    ),
    expiresTimestamp: withDescription(
      Timestamp,
      'Time at which the link expires: a Unix timestamp, in seconds',
    ),
    url: Url('onboardingPage', 'URL to open in a browser. It works once, within two hours.'),
  },
  {
    title: 'AccountLink',
    description: 'A temporary link to a page on which an account holder completes or manages the account',
  },
);

export const RedirectUrl = Url(
  'onboardingReturn',
  'URL to which the page redirects when the account holder is done; must use https',
  { maxLength: 2048 },
);

/** What the onboarding form fills in, apart from files and the payout method. */
export const OnboardingAnswers = Type.Object({
  business: AccountUpdate.properties.business,
  individual: AccountUpdate.properties.individual,
  person: Type.Optional(PersonUpdate),
});
