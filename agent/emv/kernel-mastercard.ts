import { fromHex } from '../../protocol/emv/hex.ts';
import { AIP } from './bits.ts';
import { runEmvMode, type TapOutcome, type TapParts } from './contactless-kernel.ts';

/** Terminal risk management data (Book C-2 Annex A): online PIN, signature, CDCVM, contact; no magnetic stripe. */
const RISK_MANAGEMENT_DATA = fromHex('2C00800000000000');

/**
 * Runs kernel 2, Mastercard (EMV Contactless Book C-2): M/Chip in EMV mode with CDA. Mag-stripe mode is not
 * supported.
 */
export function runMastercardKernel(parts: TapParts): Promise<TapOutcome | undefined> {
  parts.store.put('9F1D', RISK_MANAGEMENT_DATA);
  return runEmvMode(parts, { isPhone: (store) => store.has(AIP.onDeviceVerification) });
}
