import {
  Email,
  MobilePhoneNumber,
  PhoneNumber,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../../protocol/text-formats.ts';
import { AuthenticationParameters, WalletNetworkToken } from './network-token.schema.ts';
import { ShippingDetails } from './order.schema.ts';
import { Address } from '../customers/address.schema.ts';
import { CardNumber, ExpiryMonth, ExpiryYear, SecurityCode } from '../../platform/http/text.schema.ts';

const Token = (description: string) => Type.Optional(Type.String({ maxLength: 20_000, description }));
const Text = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }));
const Size = (description: string) =>
  Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 10 })], { description }));

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Client secret of the payment session to pay',
});

/** Browser data for the issuer (EMV 3DS 2.2 Table A.1). Accepted and not used. */
const BrowserDetails = Type.Object({
  acceptHeader: Text('Accept header of the browser'),
  colorDepth: Size('Color depth of the screen, in bits: a number, or a string that holds one'),
  javaEnabled: Type.Optional(Type.Boolean({ description: 'Whether the browser can run Java' })),
  language: Text('Language of the browser: an IETF BCP 47 tag, such as `en-GB`'),
  screenHeight: Size('Height of the screen, in pixels: a number, or a string that holds one'),
  screenWidth: Size('Width of the screen, in pixels: a number, or a string that holds one'),
  timeZoneOffset: Size('UTC minus the local time of the browser, in minutes'),
  userAgent: Text('User-Agent header of the browser'),
});

/** A card, a wallet, a network token or a stored method to pay a session with: exactly one of them. Spec §4.1. */
export const AttemptRequest = Type.Object({
  clientSecret: ClientSecret,
  paymentMethodType: Type.Optional(
    Type.Enum(['Card'], { description: 'Type of the payment method. Defaults to `Card`.' }),
  ),
  cardDetails: Type.Optional(
    Type.Object(
      {
        number: CardNumber('Card number, digits only', { pattern: TEXT_FORMATS.cardNumber.pattern }),
        expiryMonth: ExpiryMonth('Month in which the card expires, two digits', {
          pattern: TEXT_FORMATS.month.pattern,
        }),
        expiryYear: ExpiryYear('Year in which the card expires, four digits', {
          pattern: TEXT_FORMATS.year.pattern,
        }),
        cvc: Type.Optional(SecurityCode),
        name: Type.Optional(
          Type.String({
            maxLength: 120,
            pattern: TEXT_FORMATS.cardholderName.pattern,
            description: 'Name of the cardholder, as printed on the card: two words or more',
            examples: ['Sam Reid'],
          }),
        ),
      },
      {
        description:
          'Card to pay with. Exclusive with `walletDetails` and `paymentMethod`. The card number and the security code are not stored.',
      },
    ),
  ),
  walletDetails: Type.Optional(
    Type.Object(
      {
        type: Type.Enum(['ApplePay', 'GooglePay'], { description: 'Type of the wallet' }),
        googlePayToken: Token(
          'Payment token of Google Pay, as JSON text; required for `GooglePay`. Its content is not checked.',
        ),
        applePayToken: Token(
          'Payment token of Apple Pay, encoded as base64; required for `ApplePay`. Its content is not checked.',
        ),
      },
      { description: 'Wallet to pay with. Exclusive with `cardDetails` and `paymentMethod`.' },
    ),
  ),
  paymentMethod: Type.Optional(
    Type.Object(
      {
        id: Type.String({ maxLength: 100, description: 'Id of a stored payment method of the customer' }),
        cvc: Type.Optional(SecurityCode),
      },
      { description: 'Stored payment method to pay with. Exclusive with `cardDetails` and `walletDetails`.' },
    ),
  ),
  walletNetworkToken: Type.Optional(WalletNetworkToken),
  authenticationParameters: Type.Optional(AuthenticationParameters),
  paymentMethodOptions: Type.Optional(
    Type.Object(
      {
        store: Type.Optional(
          Type.Boolean({
            description: 'Whether to store the card for later payments of the customer. Defaults to false.',
          }),
        ),
      },
      { description: 'What to do with the payment method' },
    ),
  ),
  billingAddress: Type.Optional(Address),
  addressRequest: Type.Optional(Address),
  customerDetails: Type.Optional(
    Type.Object(
      {
        email: withDescription(Email, 'Email address of the customer'),
        homePhoneNumber: Type.Optional(
          withDescription(PhoneNumber, 'Home phone number of the customer, in E.164 format'),
        ),
        mobilePhoneNumber: Type.Optional(
          withDescription(MobilePhoneNumber, 'Mobile phone number of the customer, in E.164 format'),
        ),
      },
      { description: 'Details of the customer who pays' },
    ),
  ),
  shippingDetails: Type.Optional(ShippingDetails),
  threeDsRequestDetails: Type.Optional(
    Type.Object(
      {
        deviceChannel: Type.Enum(['Browser', 'Application'], {
          description: 'Whether the customer pays in a browser or in an app',
        }),
        browserDetails: Type.Optional(
          withDescription(BrowserDetails, 'Details of the browser (EMV 3DS 2.2 Table A.1)'),
        ),
      },
      { description: 'Device of the customer, for 3D Secure. Defaults to a browser without details.' },
    ),
  ),
});
export type AttemptRequest = Static<typeof AttemptRequest>;

const Encoded = (description: string) => Type.Optional(Type.String({ maxLength: 20_000, description }));

/** The 3DS result of the cardholder's browser or app: exactly one of the members. Spec §4.1. */
export const ContinueRequest = Type.Object({
  clientSecret: ClientSecret,
  threeDs: Type.Object(
    {
      fingerprint: Encoded(
        'Result of `Identify` in a browser: base64 of `{ threeDSServerTransID, threeDSCompInd }`',
      ),
      challengeResult: Encoded('Result of `Challenge`: base64 of `{ transStatus }`, or the CRes message'),
      appAuthentication: Type.Optional(
        Type.Object(
          {
            sdkAppId: Text('Id of the installed app, as its 3DS SDK reports it'),
            sdkEncData: Token('Encrypted device data of the 3DS SDK'),
            sdkEphemeralPublicKey: Token('Ephemeral public key of the 3DS SDK, as a JWK or text'),
            sdkMaxTimeoutInMinutes: Type.Optional(
              Type.Integer({ description: 'Maximum duration of a challenge, in minutes' }),
            ),
            sdkReferenceNumber: Text('Reference number that EMVCo assigned to the 3DS SDK'),
            sdkTransId: Text('Id of the 3DS transaction, as the 3DS SDK reports it'),
            deviceRenderOptions: Type.Optional(
              Type.Object(
                {
                  sdkInterface: Text('User interfaces that the SDK supports: `Native`, `Html` or `Both`'),
                  sdkUiTypes: Type.Optional(
                    Type.Array(Type.String(), { description: 'Kinds of challenge that the SDK can show' }),
                  ),
                },
                { description: 'Challenges that the device can show' },
              ),
            ),
          },
          { description: 'Result of `Identify` in an app: what its 3DS SDK reports' },
        ),
      ),
    },
    { description: 'Result of the required action: exactly one of the properties' },
  ),
});
export type ContinueRequest = Static<typeof ContinueRequest>;
