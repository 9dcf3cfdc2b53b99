import { Fault } from '../../protocol/failures.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';

const Hex = Type.String({ pattern: '^([0-9A-F]{2})*$' });
const whole = { additionalProperties: false };

/** What one application of a chip has besides its readable profile (EMV 4.4 Book 2 §5 and §6). */
const Certified = Type.Object(
  {
    certificate: Type.String({ ...Hex, description: '9F46 ICC public key certificate' }),
    staticSignature: Type.Optional(Type.String({ ...Hex, description: '93 signed static application data' })),
  },
  whole,
);
export type Certified = Static<typeof Certified>;

/** Keys and certificates of a chip, as `npm run cards` issued them. Test keys all. Version 1 of the form. */
export const IssuedChip = Type.Object(
  {
    version: Type.Literal(1),
    cardKey: Type.String({ ...Hex, description: 'For application cryptograms, 16 bytes' }),
    iccKey: Type.Object(
      { modulus: Hex, exponent: Hex, privateExponent: Hex, primes: Type.Tuple([Hex, Hex]) },
      whole,
    ),
    iccRemainder: Type.String({ ...Hex, description: '9F48' }),
    issuer: Type.Object(
      {
        authorityIndex: Type.String({ ...Hex, description: '8F' }),
        certificate: Type.String({ ...Hex, description: '90' }),
        remainder: Type.String({ ...Hex, description: '92' }),
        exponent: Type.String({ ...Hex, description: '9F32' }),
      },
      whole,
    ),
    contact: Type.Optional(Certified),
    contactless: Type.Optional(Certified),
  },
  whole,
);
export type IssuedChip = Static<typeof IssuedChip>;

const check = checker(IssuedChip);

/** @throws Fault `internal`, naming the field and never its value, when the file breaks the form. */
export function parseIssuedChip(name: string, value: unknown): IssuedChip {
  const problem = check(value)[0];
  if (problem) throw new Fault('internal', `chip ${name}: ${problem.path} ${problem.message}`);
  return value as IssuedChip;
}
