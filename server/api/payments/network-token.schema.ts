import { Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../../protocol/text-formats.ts';
import { CardNumber, ExpiryMonth, ExpiryYear } from '../../platform/http/text.schema.ts';

const Identifier = Type.Optional(
  Type.String({ maxLength: 100, description: 'Id of the transaction; not looked at' }),
);

/** The result of 3DS that the shop ran with another provider. */
export const AuthenticationParameters = Type.Object(
  {
    eci: Type.String({
      minLength: 1,
      maxLength: 2,
      description: 'Electronic commerce indicator, such as `05`',
    }),
    authenticationValue: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Authentication value that the issuer returned. It is neither checked nor stored.',
      }),
    ),
    protocolVersion: Type.Optional(Type.String({ maxLength: 10, description: 'Version of 3D Secure' })),
    threeDsServerTransactionId: withDescription(
      Identifier,
      'Id of the transaction at the 3DS server. It is not checked.',
    ),
    acsTransactionId: withDescription(
      Identifier,
      'Id of the transaction at the access control server of the issuer. It is not checked.',
    ),
    dsTransactionId: withDescription(
      Identifier,
      'Id of the transaction at the directory server of the card scheme. It is not checked.',
    ),
  },
  {
    title: 'AuthenticationParameters',
    description:
      'Result of a 3D Secure authentication that you ran with another provider. No 3D Secure follows.',
  },
);

/** The content of a wallet's token that the shop decrypted itself (docs/choices.md, Network tokens). */
export const WalletNetworkToken = Type.Object(
  {
    number: CardNumber(
      'Number of the token in place of the card number (DPAN), digits only. It is not stored.',
      { pattern: TEXT_FORMATS.cardNumber.pattern },
    ),
    expiryMonth: ExpiryMonth('Month in which the token expires, two digits', {
      pattern: TEXT_FORMATS.month.pattern,
    }),
    expiryYear: ExpiryYear('Year in which the token expires, four digits', {
      pattern: TEXT_FORMATS.year.pattern,
    }),
    type: Type.Optional(
      Type.Enum(['ApplePay', 'GooglePay'], { description: 'Wallet that the token is from' }),
    ),
  },
  {
    title: 'WalletNetworkToken',
    description:
      'Token of a wallet that you decrypted. Requires the secret key. The cryptogram belongs to `authenticationParameters.authenticationValue`.',
  },
);
export type WalletNetworkToken = Static<typeof WalletNetworkToken>;
