import { Refusal } from '../../platform/http/refusals.ts';

const COUNTRIES_WITH_REGION = ['US', 'CA'];

/** An address in the US or Canada names its state or province by a 2-character code (Spec §2.7). */
export function refuseMissingRegion(address: { country: string; region?: string | null }): void {
  if (!COUNTRIES_WITH_REGION.includes(address.country)) return;
  if (!/^[A-Z]{2}$/.test(address.region ?? ''))
    throw new Refusal('region_required', { country: address.country });
}
