import { Id, Type, type Static } from '../../../protocol/schema.ts';
import { Url } from '../../platform/http/url.schema.ts';

const optional = (description: string) => Type.Optional(Type.String({ description }));

/** What the cardholder's browser or app does so that the issuer may know it (EMV 3DS 2.2 §5.8). */
const Identify = Type.Object({
  type: Type.Literal('Identify', {
    description: 'Kind of action: collect data that identifies the device of the customer',
  }),
  identify: Type.Object(
    {
      scheme: Type.String({ description: 'Card scheme' }),
      paymentMethodId: Id(
        'paymentMethod',
        'Unique identifier of the payment method that is being authenticated',
      ),
      uniqueId: optional('Browser: id of the authentication'),
      threeDsMethodUrl: Type.Optional(
        Url('threeDsMethod', 'Browser: URL to which a hidden frame posts `threeDsMethodData`'),
      ),
      threeDsMethodSignature: optional('Browser: signature, which older clients read'),
      threeDsMethodData: optional('Browser: data to post, encoded as base64url'),
      sessionId: optional('App: id of the authentication'),
      sessionSecret: optional('App: secret of the authentication'),
      protocolVersion: optional('App: version of the 3D Secure messages, `2.2.0`'),
      ravelinPublicKey: optional('App: key with which its 3DS SDK is initialised'),
    },
    { description: 'Data for the identification of the device' },
  ),
});

/** The issuer asks the cardholder himself (EMV 3DS 2.2 §5.9). */
const Challenge = Type.Object({
  type: Type.Literal('Challenge', { description: 'Kind of action: the issuer challenges the cardholder' }),
  challenge: Type.Object(
    {
      acsUrl: Url('threeDsChallenge', 'URL of the issuer to which `cReq` is posted'),
      cReq: Type.String({ description: 'Challenge request, encoded as base64url' }),
      threeDSServerTransactionID: optional('App: id of the transaction at the 3DS server'),
      acsTransactionID: optional('App: id of the transaction at the access control server of the issuer'),
      acsRefNumber: optional('App: reference number of the access control server of the issuer'),
      acsSignedContent: optional('App: content that the access control server signed'),
    },
    { description: 'Data for the challenge' },
  ),
});

/** Redirects the browser to a page of the issuer, which redirects it back to the shop. For older clients. */
const Redirect = Type.Object({
  type: Type.Literal('Redirect', { description: 'Kind of action: redirect the customer' }),
  url: Url('threeDsRedirect', 'URL to redirect the customer to. It redirects to `returnUrl` afterwards.'),
});

/** Action that has to be completed before the payment continues; only while it is PendingAction (Spec §2.2, rule 4). */
export const RequiredAction = Type.Union([Identify, Challenge, Redirect], {
  title: 'RequiredAction',
  description:
    'Action that has to be handled before the payment continues; absent unless the session is `PendingAction`',
});
export type RequiredAction = Static<typeof RequiredAction>;
