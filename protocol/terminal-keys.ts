import { KeyScheme } from './messages/action.messages.ts';
import { explained, Type, type Static } from './schema.ts';

/**
 * The keys under which a terminal sends card data and PINs: given once, at pairing. Each pairing gives a set of its
 * own, so two terminals never share one and a set never starts again at its first key.
 */
export const TerminalKeys = Type.Object(
  {
    scheme: explained(KeyScheme, 'X9.24-3 (AES) or X9.24-1 (TDES)'),
    initialKeyId: Type.String({
      pattern: '^([0-9A-F]{16}|[0-9A-F]{20})$',
      description: 'AES: the initial key id, 8 bytes. TDES: the initial key serial number, 10 bytes',
    }),
    initialKey: Type.String({ pattern: '^[0-9A-F]{32}$', description: 'Shown once' }),
  },
  { description: 'DUKPT keys of the terminal: X9.24-3 (AES) or X9.24-1 (TDES)' },
);
export type TerminalKeys = Static<typeof TerminalKeys>;
