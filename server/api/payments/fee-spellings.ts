import type { Static } from '../../../protocol/schema.ts';
import { PaymentSettings, type FEE_SPELLINGS } from './payment-settings.schema.ts';
import type { FeeAllocation } from '../ledger/fee-allocation.schema.ts';

type Spelled = { [K in keyof typeof FEE_SPELLINGS]?: Static<(typeof FEE_SPELLINGS)[K]> };

/** The allocation that a body says, wherever it says it; undefined when it says none. */
export function feesOf({ paymentSettings, platformSettings, settings }: Spelled): FeeAllocation | undefined {
  const said = [
    platformSettings?.paymentFees,
    settings?.platform?.paymentFees,
    paymentSettings?.platform?.paymentFees,
  ].filter((fees) => fees !== undefined);
  return said.length === 0 ? undefined : Object.assign({}, ...said);
}

/** The settings that a body says, with the allocation in the one place where it is shown. */
export function paymentSettingsOf(body: Spelled): PaymentSettings | undefined {
  const paymentFees = feesOf(body);
  if (!paymentFees) return body.paymentSettings;
  return { ...body.paymentSettings, platform: { paymentFees } };
}

/** The accounts that an allocation names. */
export function bookedAccounts(fees: FeeAllocation | undefined): string[] {
  return Object.values(fees ?? {}).map(({ bookTo }) => bookTo);
}
