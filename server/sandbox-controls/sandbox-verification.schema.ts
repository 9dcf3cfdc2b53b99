import { Type, type Static } from '../../protocol/schema.ts';
import { VerificationError } from '../api/accounts/verification.schema.ts';

const { code, id } = VerificationError.properties;

/** What somebody is to find who looks at a verification. */
export const Outcome = Type.Object({
  outcome: Type.Enum(['Verified', 'Required'], {
    description: 'Verified: whatever there is, it counts. Required: it is refused and asked for again.',
  }),
  errors: Type.Optional(
    Type.Array(
      Type.Object({ code, id, description: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }),
      { maxItems: 50, description: 'What was refused; something usual when nothing is named' },
    ),
  ),
});
export type Outcome = Static<typeof Outcome>;
