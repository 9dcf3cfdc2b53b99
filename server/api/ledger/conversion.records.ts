import { toTimestamp } from '../../../protocol/clock.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../platform/store/stored-property.ts';
import { CONVERSION, type Conversion, type ConversionFees } from './conversion.schema.ts';

export type ConversionRow = RowOf<typeof CONVERSION>;

export type NewConversion = NewOf<typeof CONVERSION>;

export const conversions = storedObjects({ table: 'conversions' }, CONVERSION);

/**
 * Returns the fees as the API shows them, `feeMinor` in minor units of the bought currency: a sub account is charged by
 * its platform, which adds nothing to the service's fee; a platform is charged by the service.
 */
export function toConversionFees(feeMinor: number, ofSubAccount: boolean): ConversionFees {
  const fee = { amount: feeMinor };
  return { total: feeMinor, ...(ofSubAccount ? { platform: { ...fee, ryftFee: fee } } : { ryft: fee }) };
}

/** Returns a conversion as the API shows it; the properties of its price are absent until it has one. */
export function toConversion(row: ConversionRow, ofSubAccount: boolean): Conversion {
  return conversions.show(row, {
    sell: { amount: row.sell_minor, currency: row.sell_currency },
    buy: {
      ...(row.buy_minor !== null && { amount: row.buy_minor }),
      currency: row.buy_currency,
      ...(row.fee_minor !== null && { fees: toConversionFees(row.fee_minor, ofSubAccount) }),
    },
    rate: row.rate_millionths === null ? undefined : row.rate_millionths / 1_000_000,
    settledTimestamp: row.status === 'Settled' ? toTimestamp(row.updated_ms) : undefined,
  });
}
