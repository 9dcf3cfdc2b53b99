import { Type, type Static } from '../../protocol/schema.ts';
import { VerificationError } from '../api/accounts/verification.schema.ts';

const { code, id } = VerificationError.properties;

/** Result of a manual identity check. */
export const Outcome = Type.Object({
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
export type Outcome = Static<typeof Outcome>;
