import { fromHex } from '../../protocol/emv/hex.ts';
import { runEmvMode, type TapOutcome, type TapParts } from './contactless-kernel.ts';
import { isOverCvmLimit } from './terminal.ts';

/** Contactless reader capabilities (9F6D) and enhanced ones (9F6E): EMV partial online, phones, online PIN. */
const CAPABILITIES = fromHex('C8');
const ENHANCED = { overLimit: fromHex('18E04000'), underLimit: fromHex('18E00000') } as const;

const PERFORMED_BY_PHONE = 0x01;
const SUCCEEDED = 0x02;

/** Runs kernel 4, American Express (EMV Contactless Book C-4): EMV mode with mobile CVM results (9F71). */
export function runAmexKernel(parts: TapParts): Promise<TapOutcome | undefined> {
  parts.store.put('9F6D', CAPABILITIES);
  parts.store.put('9F6E', isOverCvmLimit(parts.transaction) ? ENHANCED.overLimit : ENHANCED.underLimit);
  return runEmvMode(parts, {
    isPhone: (store) => {
      const results = store.get('9F71');
      return results?.[0] === PERFORMED_BY_PHONE && results[2] === SUCCEEDED;
    },
  });
}
