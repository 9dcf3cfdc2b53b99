import { Type } from '../../../protocol/schema.ts';
import { AccountUpdate } from '../accounts/account.schema.ts';
import { PersonUpdate } from '../accounts/person.schema.ts';

/** What the onboarding form fills in, apart from files and the payout method. */
export const OnboardingAnswers = Type.Object({
  business: AccountUpdate.properties.business,
  individual: AccountUpdate.properties.individual,
  person: Type.Optional(PersonUpdate),
});
