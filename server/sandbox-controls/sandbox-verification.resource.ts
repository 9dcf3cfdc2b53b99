import { Type, type Static } from '../../protocol/schema.ts';
import { VerificationError } from '../api/accounts/verification.schema.ts';
import { subAccountById } from '../api/accounts/account.resource.ts';
import { Account } from '../api/accounts/account.schema.ts';
import { verificationInputOf, readAccountResourceById } from '../api/accounts/account-view.ts';
import { ACCOUNT_GUARDS, lockAccount, profileOf } from '../api/accounts/account.records.ts';
import {
  listPersons,
  lockPerson,
  personOf,
  persons,
  requirePerson,
  toPerson,
} from '../api/accounts/person.records.ts';
import { Person } from '../api/accounts/person.schema.ts';
import {
  completeAccountCheck,
  completePersonCheck,
  type VerificationResult,
} from '../api/accounts/verification-result.ts';
import { accountCheckErrors, personCheckErrors } from '../api/accounts/verification-result.rules.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';

const { code, id } = VerificationError.properties;

/** Result of a manual identity check. */
const Outcome = Type.Object({
  outcome: Type.Enum(['Verified', 'Required'], {
    description: '`Verified` accepts what was supplied. `Required` refuses it and requests it again.',
  }),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        code,
        id,
        description: Type.Optional(
          Type.String({ minLength: 1, maxLength: 500, description: 'Reason for the refusal' }),
        ),
      }),
      { maxItems: 50, description: 'What is refused. By default the sandbox chooses.' },
    ),
  ),
});
type Outcome = Static<typeof Outcome>;

function errorsOf({ errors = [] }: Outcome): VerificationError[] {
  return errors.map(({ description = 'It was refused', ...error }) => ({ ...error, description }));
}

const waived: VerificationResult = { outcome: 'waived', errors: [] };

const common = {
  surface: 'sandbox',
  tag: 'Sandbox verification',
  section: 'Sandbox',
  access: 'dashboard',
  body: Outcome,
  refusals: ['check_names_nothing'],
} as const;

const verifyAccountRoute = route({
  ...common,
  operation: 'POST /sandbox/accounts/{id}/verification',
  summary: 'Set the result of the verification of a sub account',
  reply: Account,
  find: subAccountById,
  handle: ({ services, body, found: { id: accountId } }) =>
    services.store.transaction(async (tx) => {
      const profile = profileOf(await lockAccount(tx, accountId));
      const input = verificationInputOf(profile, await listPersons(tx, accountId));
      const result: VerificationResult =
        body.outcome === 'Verified'
          ? waived
          : { outcome: 'failed', errors: accountCheckErrors(input, errorsOf(body)) };
      await completeAccountCheck(tx, services, accountId, result);
      return readAccountResourceById(tx, accountId);
    }, ACCOUNT_GUARDS),
});

const verifyPersonRoute = route({
  ...common,
  operation: 'POST /sandbox/accounts/{id}/persons/{personId}/verification',
  summary: 'Set the result of the verification of a person',
  reply: Person,
  async find(call) {
    const account = await subAccountById(call);
    return persons.find(call.services.store, account.id, call.params.personId);
  },
  handle: ({ services, body, found }) =>
    services.store.transaction(async (tx) => {
      const row = await lockPerson(tx, found.id);
      if (!row) throw new Refusal('not_found', { what: 'person' });
      const person = personOf(row);
      const result: VerificationResult =
        body.outcome === 'Verified'
          ? waived
          : { outcome: 'failed', errors: personCheckErrors(person, errorsOf(body)) };
      await completePersonCheck(tx, services, person, result);
      return toPerson(await requirePerson(tx, person.id));
    }, ACCOUNT_GUARDS),
});

/** Routes that verify or refuse accounts and persons, for the reviewer of their documents. */
export const sandboxVerificationRoutes: readonly Route[] = [verifyAccountRoute, verifyPersonRoute];
