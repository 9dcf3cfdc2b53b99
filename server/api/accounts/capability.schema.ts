import { toTimestamp } from '../../../protocol/clock.ts';
import {
  LastUpdatedTimestamp,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { RequiredDocument, RequiredField } from './verification.schema.ts';
import { tableOf } from '../../../protocol/tables.ts';

export const CAPABILITIES = [
  'visaPayments',
  'mastercardPayments',
  'amexPayments',
  'inPersonPayments',
] as const;
export type CapabilityName = (typeof CAPABILITIES)[number];

/** State of a capability of an account, and whether it was requested: Spec §2.3. */
const Capability = Type.Object(
  {
    status: Type.Enum(['NotRequested', 'Pending', 'Disabled', 'Enabled'], {
      description:
        '`NotRequested` until the account requests it, `Pending` while it is being checked, `Disabled` while a requirement is missing, `Enabled` once these payments can be taken',
    }),
    available: Type.Boolean({
      description: 'Whether these payments can be taken: whether `status` is `Enabled`',
    }),
    requested: Type.Boolean({ description: 'Whether the account requests the capability' }),
    requiredFields: Type.Array(RequiredField, {
      description: 'Fields to supply before the capability can be enabled',
    }),
    requiredDocuments: Type.Array(RequiredDocument, {
      description: 'Documents to supply before the capability can be enabled',
    }),
    disabledReason: Type.Optional(
      Type.String({ description: 'Reason why the capability is `Disabled`; absent otherwise' }),
    ),
    requestedTimestamp: Type.Optional(
      withDescription(
        Timestamp,
        'Time at which the capability was requested: a Unix timestamp, in seconds. Absent while it is not requested.',
      ),
    ),
    enabledTimestamp: Type.Optional(
      withDescription(
        Timestamp,
        'Time at which the capability was enabled: a Unix timestamp, in seconds. Absent while it is not enabled.',
      ),
    ),
    lastUpdatedTimestamp: Type.Optional(LastUpdatedTimestamp),
  },
  { title: 'Capability', description: 'Ability of the account to take one kind of payment' },
);

const capabilityRequest = (description: string) =>
  Type.Object(
    { requested: Type.Boolean({ description: 'Whether to request the capability' }) },
    { description },
  );

/** The capabilities to request: Spec §2.3. */
export const CapabilitiesRequest = Type.Object({
  visaPayments: capabilityRequest('Payments with Visa'),
  mastercardPayments: capabilityRequest('Payments with Mastercard'),
  amexPayments: capabilityRequest('Payments with American Express'),
  inPersonPayments: capabilityRequest('Payments on terminals'),
});

export const Capabilities = Type.Object(
  {
    visaPayments: Capability,
    mastercardPayments: Capability,
    amexPayments: Capability,
    inPersonPayments: Capability,
  },
  { description: 'Payments that the account can take' },
);

/** The capabilities of an account as stored: whether each was requested, and when that last changed (epoch ms). */
export type StoredCapabilities = Record<CapabilityName, { requested: boolean; sinceMs?: number }>;

/** Returns stored capabilities as the API shows them. */
export function toCapabilities(capabilities: StoredCapabilities): Static<typeof Capabilities> {
  return tableOf(CAPABILITIES, (name) => {
    const { requested, sinceMs } = capabilities[name];
    const since = sinceMs === undefined ? undefined : toTimestamp(sinceMs);
    return {
      status: requested ? 'Enabled' : 'NotRequested',
      available: requested,
      requested,
      requiredFields: [],
      requiredDocuments: [],
      ...(since !== undefined && requested && { requestedTimestamp: since, enabledTimestamp: since }),
      ...(since !== undefined && { lastUpdatedTimestamp: since }),
    };
  });
}
