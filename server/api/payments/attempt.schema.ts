import { Email, PhoneNumber, Type, type Static } from '../../../protocol/schema.ts';
import { Address, ShippingDetails } from './shipping.schema.ts';

const Cvc = Type.Optional(
  Type.String({ pattern: '^[0-9]{3,4}$', description: 'Security code; four digits for Amex' }),
);
const Token = (description: string) => Type.Optional(Type.String({ maxLength: 20_000, description }));
const Text = Type.Optional(Type.String({ maxLength: 2048 }));
const Size = Type.Optional(
  Type.Union([Type.Number(), Type.String({ maxLength: 10 })], { description: 'A number, or text with one' }),
);

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Selects the payment session',
});

/** What a browser tells an issuer (EMV 3DS 2.2 Table A.1); looked at by nobody here. */
const BrowserDetails = Type.Object({
  acceptHeader: Text,
  colorDepth: Size,
  javaEnabled: Type.Optional(Type.Boolean()),
  language: Text,
  screenHeight: Size,
  screenWidth: Size,
  timeZoneOffset: Size,
  userAgent: Text,
});

/** A card, a wallet or a stored method to pay a session with: exactly one of them. Spec §4.1. */
export const AttemptRequest = Type.Object({
  clientSecret: ClientSecret,
  paymentMethodType: Type.Optional(Type.Enum(['Card'])),
  cardDetails: Type.Optional(
    Type.Object({
      number: Type.String({ pattern: '^[0-9]{1,30}$', description: 'Digits alone; never kept' }),
      expiryMonth: Type.String({ pattern: '^(0[1-9]|1[0-2])$' }),
      expiryYear: Type.String({ pattern: '^[0-9]{4}$' }),
      cvc: Cvc,
      name: Type.Optional(Type.String({ maxLength: 200, description: 'As it stands on the card' })),
    }),
  ),
  walletDetails: Type.Optional(
    Type.Object({
      type: Type.Enum(['ApplePay', 'GooglePay']),
      googlePayToken: Token('JSON text, which is not looked into; required for GooglePay'),
      applePayToken: Token('Base64 text, which is not looked into; required for ApplePay'),
    }),
  ),
  paymentMethod: Type.Optional(
    Type.Object({
      id: Type.String({ maxLength: 100, description: 'A stored payment method of the customer' }),
      cvc: Cvc,
    }),
  ),
  paymentMethodOptions: Type.Optional(
    Type.Object({ store: Type.Optional(Type.Boolean({ description: 'Keep the card on the customer' })) }),
  ),
  billingAddress: Type.Optional(Address),
  addressRequest: Type.Optional(Address),
  customerDetails: Type.Optional(
    Type.Object({
      email: Email,
      homePhoneNumber: Type.Optional(PhoneNumber),
      mobilePhoneNumber: Type.Optional(PhoneNumber),
    }),
  ),
  shippingDetails: Type.Optional(ShippingDetails),
  threeDsRequestDetails: Type.Optional(
    Type.Object(
      {
        deviceChannel: Type.Enum(['Browser', 'Application']),
        browserDetails: Type.Optional(BrowserDetails),
      },
      { description: 'A browser without details unless said' },
    ),
  ),
});
export type AttemptRequest = Static<typeof AttemptRequest>;

const Encoded = (description: string) => Type.Optional(Type.String({ maxLength: 20_000, description }));

/** What the cardholder's browser or app found out: exactly one of the members. Spec §4.1. */
export const ContinueRequest = Type.Object({
  clientSecret: ClientSecret,
  threeDs: Type.Object({
    fingerprint: Encoded('Base64 of { threeDSServerTransID, threeDSCompInd }; answers Identify'),
    challengeResult: Encoded('Base64 of { transStatus }, or the CRes; answers Challenge'),
    appAuthentication: Type.Optional(
      Type.Object(
        {
          sdkAppId: Text,
          sdkEncData: Token('What the library knows of the device'),
          sdkEphemeralPublicKey: Token('Key of the library, JSON or text'),
          sdkMaxTimeoutInMinutes: Type.Optional(Type.Integer()),
          sdkReferenceNumber: Text,
          sdkTransId: Text,
          deviceRenderOptions: Type.Optional(
            Type.Object({ sdkInterface: Text, sdkUiTypes: Type.Optional(Type.Array(Type.String())) }),
          ),
        },
        { description: 'Answers Identify of an app' },
      ),
    ),
  }),
});
export type ContinueRequest = Static<typeof ContinueRequest>;
