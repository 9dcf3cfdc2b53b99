import { KeyScheme } from './messages/card-data.schema.ts';
import { Type, withDescription, type Static } from './schema.ts';

/**
 * Keys with which a terminal encrypts card data and PINs. Returned once, by pairing; each pairing creates a new set,
 * so keys are never shared or reused.
 */
export const TerminalKeys = Type.Object(
  {
    scheme: withDescription(KeyScheme, 'X9.24-3 (AES) or X9.24-1 (TDES)'),
    initialKeyId: Type.String({
      pattern: '^([0-9A-F]{16}|[0-9A-F]{20})$',
      description:
        'Initial key id of 8 bytes (AES), or initial key serial number of 10 bytes (TDES), in uppercase hexadecimal',
      // Key and key id of the examples of ANSI X9.24.
      examples: ['FFFF9876543210E00000'],
    }),
    initialKey: Type.String({
      pattern: '^[0-9A-F]{32}$',
      description: 'Initial key in uppercase hexadecimal. It is returned only once.',
      examples: ['6AC292FAA1315B4D858AB3A3D7D5933A'],
    }),
  },
  { description: 'DUKPT keys of the terminal: X9.24-3 (AES) or X9.24-1 (TDES)' },
);
export type TerminalKeys = Static<typeof TerminalKeys>;
