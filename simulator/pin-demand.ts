import type { CardRequest, ReaderCvm } from '../agent/readers/reader.ts';
import type { EntryMode } from '../protocol/messages/card-data.schema.ts';
import type { Card } from './cards/card-profile.ts';

/** Default contactless limit in minor units: above it a tapped card requires a PIN. */
export const CONTACTLESS_LIMIT_MINOR = 10_000;

/**
 * Returns the required PIN entry: for a contact chip, and for a tapped card above the limit (EMV Contactless Book
 * A, reader CVM required limit). A phone verifies its holder itself; refunds need no PIN.
 * @param limitsMinor contactless limits by currency code, minor units
 */
export function pinDemandOf(
  { type, amountMinor, currency }: CardRequest,
  card: Card,
  entryMode: EntryMode,
  limitsMinor: Readonly<Record<string, number>> | undefined,
): ReaderCvm {
  if (entryMode === 'Wallet') return 'onDevice';
  if (!card.hasPin || type === 'Refund' || entryMode === 'Swipe') return 'none';
  const limitMinor = limitsMinor?.[currency] ?? CONTACTLESS_LIMIT_MINOR;
  return entryMode === 'Contactless' && amountMinor <= limitMinor ? 'none' : 'pin';
}
