import { maskCardNumbers } from '../../protocol/card-numbers.ts';
import type { EntryMode, MaskedCard } from '../../protocol/messages/card-data.schema.ts';

/** What a payment terminal reports of a card. */
interface ReportedCard {
  /** The number, which most terminals mask: other characters in place of digits. */
  number: string;
  /** Expiry as YYMM, in digits; any other text for none. */
  expiry: string;
  /** By default it is that of the number. */
  scheme?: MaskedCard['scheme'] | undefined;
  entryMode?: EntryMode | undefined;
  /** Name of the card or of its application. */
  label?: string | undefined;
  /** In hexadecimal. */
  aid?: string | undefined;
}

// Placeholders for what a terminal masks or omits (docs/choices.md).
const UNKNOWN_BIN = '000000';
const UNKNOWN_LAST4 = '0000';
const UNKNOWN_EXPIRY = ['99', '12'] as const;
const AID = /^[ADF][0-9A-F]{9,31}$/;

/**
 * Returns the masked card of a payment terminal. A misconfigured terminal sends the whole number, which must not leave
 * this function.
 */
export function terminalCard({ number, expiry, scheme, entryMode, label, aid }: ReportedCard): MaskedCard {
  const name = label && maskCardNumbers(label, 'whole').slice(0, 16);
  const [, year, month] = /^([0-9]{2})(0[1-9]|1[0-2])$/.exec(expiry) ?? [undefined, ...UNKNOWN_EXPIRY];
  return {
    scheme: scheme ?? schemeOf(number),
    bin: /^[0-9]{6}/.exec(number)?.[0] ?? UNKNOWN_BIN,
    last4: /[0-9]{4}$/.exec(number)?.[0] ?? UNKNOWN_LAST4,
    expiryMonth: month,
    expiryYear: `20${year}`,
    ...(entryMode && { entryMode }),
    ...(name && { applicationLabel: name }),
    ...(aid && AID.test(aid) && { aid }),
  };
}

/** Cards that the API has no name for count as Mastercard. */
function schemeOf(number: string): MaskedCard['scheme'] {
  if (number.startsWith('4')) return 'Visa';
  return /^3[47]/.test(number) ? 'Amex' : 'Mastercard';
}
