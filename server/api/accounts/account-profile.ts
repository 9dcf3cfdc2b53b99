import { toTimestamp } from '../../../protocol/clock.ts';
import { type AccountResource, type PayoutSchedule } from './account.schema.ts';
import { type Business, type EntityType, type Individual } from './account-holder.schema.ts';
import { CAPABILITIES, type CapabilityName, type StoredCapabilities } from './capability.schema.ts';
import type { Document } from './document.schema.ts';
import type { StoredVerification } from './verification.rules.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import { tableOf } from '../../../protocol/tables.ts';

/** The details of an account as stored. */
export interface AccountProfile {
  onboardingFlow: 'Hosted' | 'NonHosted';
  email?: string | undefined;
  entityType?: EntityType | undefined;
  business?: Business | undefined;
  individual?: Individual | undefined;
  metadata: Record<string, string>;
  payoutSchedule: PayoutSchedule;
  capabilities: StoredCapabilities;
  termsOfService?: NonNullable<AccountResource['termsOfService']> | undefined;
  verification: StoredVerification;
}

/** Returns the capabilities of a new sub account: those of its platform (docs/choices.md, Capabilities). */
export function inheritCapabilities(
  platform: { capabilities: JsonText<StoredCapabilities> },
  nowMs: number,
): StoredCapabilities {
  return tableOf(CAPABILITIES, (name) => ({ requested: hasCapability(platform, name), sinceMs: nowMs }));
}

/** Returns whether an account has a capability: requested ones are enabled at once (docs/choices.md, Capabilities). */
export function hasCapability(
  row: { capabilities: JsonText<StoredCapabilities> },
  name: CapabilityName,
): boolean {
  return parseJson(row.capabilities)[name].requested;
}

/** Returns the card schemes that an account may not accept. */
export function disabledSchemesOf(row: { capabilities: JsonText<StoredCapabilities> }): string[] {
  return Object.entries(SCHEME_CAPABILITIES)
    .filter(([, capability]) => !hasCapability(row, capability))
    .map(([scheme]) => scheme);
}

const SCHEME_CAPABILITIES = {
  Visa: 'visaPayments',
  Mastercard: 'mastercardPayments',
  Amex: 'amexPayments',
} as const satisfies Record<string, CapabilityName>;

/** Returns the profile of a verified business: the platform's own, and that of each account created by name alone. */
export function verifiedBusinessProfile(name: string, nowMs: number): AccountProfile {
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
    capabilities: tableOf(CAPABILITIES, () => ({ requested: true, sinceMs: nowMs })),
    termsOfService: { acceptance: { ipAddress: '127.0.0.1', when: toTimestamp(nowMs) } },
    verification: { phase: 'verified', errors: [], waived: true, demanded: true },
  };
}

/** Returns the documents of an account: those of its business or its individual, by its entity type. */
export function documentsOf({ entityType, business, individual }: AccountProfile): Document[] {
  return (entityType === 'Business' ? business?.documents : individual?.documents) ?? [];
}

/** Returns a profile with its documents replaced; the same profile when there are none. */
export function replaceDocuments(profile: AccountProfile, documents: Document[]): AccountProfile {
  if (documents.length === 0) return profile;
  return profile.entityType === 'Business'
    ? { ...profile, business: { ...profile.business, documents } }
    : { ...profile, individual: { ...profile.individual, documents } };
}
