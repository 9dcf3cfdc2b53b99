import { Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { CHALLENGE_INDICATORS } from '../../bank/issuer/test-cards.ts';
import { FeeAllocation } from '../ledger/fee-allocation.schema.ts';

const PlatformSettings = Type.Object({ paymentFees: Type.Optional(FeeAllocation) });

export const PaymentSettings = Type.Object(
  {
    paymentMethodOptions: Type.Optional(
      Type.Object(
        {
          disabled: Type.Optional(
            Type.Array(Type.String({ maxLength: 30 }), {
              maxItems: 10,
              description: 'Card schemes and wallets that are declined, such as `Amex`',
            }),
          ),
        },
        { description: 'Payment methods that can be used' },
      ),
    ),
    threeDs: Type.Optional(
      Type.Object(
        {
          challengeIndicator: Type.Optional(
            Type.Enum([...CHALLENGE_INDICATORS], {
              description:
                'Preference of the merchant for a challenge. The issuer decides: `ChallengeRequested` leads to one, and the two that decline a challenge spare it after a fingerprint. Defaults to `NoPreference`.',
            }),
          ),
          policy: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 50,
              description: 'When to use 3D Secure. Stored and returned without effect.',
            }),
          ),
        },
        { description: 'Preferences for 3D Secure' },
      ),
    ),
    platform: Type.Optional(withDescription(PlatformSettings, 'Settings that the platform decides')),
  },
  { title: 'PaymentSettings', description: 'Settings of a payment' },
);
export type PaymentSettings = Static<typeof PaymentSettings>;

/**
 * Who pays the processing fees. The specification and its client libraries put it in different members; every request
 * accepts all of them (docs/choices.md, Fee spellings).
 */
export const FEE_SPELLINGS = {
  paymentSettings: Type.Optional(PaymentSettings),
  platformSettings: Type.Optional(
    withDescription(
      PlatformSettings,
      'Settings that the platform decides; same as `paymentSettings.platform`',
    ),
  ),
  settings: Type.Optional(
    Type.Object(
      {
        platform: Type.Optional(
          withDescription(PlatformSettings, 'Settings that the platform decides; same as `platformSettings`'),
        ),
      },
      { description: 'Alternative place of `platformSettings`' },
    ),
  ),
};
