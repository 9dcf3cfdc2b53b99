import { Type } from '../../../protocol/schema.ts';
import { PaymentSettings, PlatformSettings } from './payment-session.schema.ts';

/**
 * Who pays for the processing. The specification and its client libraries say it in different places, and all of
 * them are taken everywhere (docs/choices.md, Fee spellings).
 */
export const FEE_SPELLINGS = {
  paymentSettings: Type.Optional(PaymentSettings),
  platformSettings: Type.Optional(PlatformSettings),
  settings: Type.Optional(Type.Object({ platform: Type.Optional(PlatformSettings) })),
};
