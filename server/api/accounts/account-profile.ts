import { toTimestamp } from '../../../protocol/clock.ts';
import { type AccountShown, type EntityType, type PayoutSchedule } from './account.schema.ts';
import { type Business, type Individual } from './account-holder.schema.ts';
import { CAPABILITIES, type CapabilityName } from './capability.schema.ts';
import type { Document } from './document.schema.ts';
import type { KeptVerification } from './verification.rules.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';

/** What an account asked to be able to do, and when. */
export type KeptCapabilities = Record<CapabilityName, { requested: boolean; sinceMs?: number }>;

/** What an account has to say of itself, as it is kept. */
export interface AccountProfile {
  onboardingFlow: 'Hosted' | 'NonHosted';
  email?: string | undefined;
  entityType?: EntityType | undefined;
  business?: Business | undefined;
  individual?: Individual | undefined;
  metadata: Record<string, string>;
  payoutSchedule: PayoutSchedule;
  capabilities: KeptCapabilities;
  terms?: NonNullable<AccountShown['termsOfService']> | undefined;
  verification: KeptVerification;
}

/** Returns the capabilities of a sub account at its beginning: those of its platform (docs/choices.md, Capabilities). */
export function capabilitiesLike(
  platform: { capabilities: JsonText<KeptCapabilities> },
  nowMs: number,
): KeptCapabilities {
  const entries = CAPABILITIES.map((name) => [
    name,
    { requested: isCapable(platform, name), sinceMs: nowMs },
  ]);
  return Object.fromEntries(entries) as KeptCapabilities;
}

/** Whether an account may do something: what it asked for is enabled at once (docs/choices.md, Capabilities). */
export function isCapable(row: { capabilities: JsonText<KeptCapabilities> }, name: CapabilityName): boolean {
  return parseJson(row.capabilities)[name].requested;
}

/** Which of the card schemes an account may not take. */
export function schemesWithout(row: { capabilities: JsonText<KeptCapabilities> }): string[] {
  return Object.entries(SCHEME_CAPABILITIES)
    .filter(([, capability]) => !isCapable(row, capability))
    .map(([scheme]) => scheme);
}

const SCHEME_CAPABILITIES = {
  Visa: 'visaPayments',
  Mastercard: 'mastercardPayments',
  Amex: 'amexPayments',
} as const satisfies Record<string, CapabilityName>;

/** A shop that has been through everything: what the platform itself is, and each account made by its name. */
export function shopProfile(name: string, nowMs: number): AccountProfile {
  const requested = { requested: true, sinceMs: nowMs };
  return {
    onboardingFlow: 'NonHosted',
    entityType: 'Business',
    business: {
      name,
      type: 'PrivateCompany',
      registrationNumber: '01234567',
      registrationDate: '2015-03-02',
      registeredAddress: { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
      contactEmail: 'shop@example.com',
      phoneNumber: '+442079460000',
    },
    metadata: {},
    payoutSchedule: 'Automatic',
    capabilities: Object.fromEntries(CAPABILITIES.map((each) => [each, requested])) as KeptCapabilities,
    terms: { acceptance: { ipAddress: '127.0.0.1', when: toTimestamp(nowMs) } },
    verification: { phase: 'verified', errors: [], waived: true, demanded: true },
  };
}

/** The documents of the block that goes with the account's entity type. */
export function documentsOf({ entityType, business, individual }: AccountProfile): Document[] {
  return (entityType === 'Business' ? business?.documents : individual?.documents) ?? [];
}

export function withDocumentsOf(profile: AccountProfile, documents: Document[]): AccountProfile {
  if (documents.length === 0) return profile;
  return profile.entityType === 'Business'
    ? { ...profile, business: { ...profile.business, documents } }
    : { ...profile, individual: { ...profile.individual, documents } };
}
