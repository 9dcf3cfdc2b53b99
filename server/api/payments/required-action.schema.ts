import { Id, Type, type Static } from '../../../protocol/schema.ts';

const optional = (description: string) => Type.Optional(Type.String({ description }));

/** What the cardholder's browser or app does so that the issuer may know it (EMV 3DS 2.2 §5.8). */
const Identify = Type.Object({
  type: Type.Literal('Identify'),
  identify: Type.Object({
    scheme: Type.String({ description: 'The scheme of the card' }),
    paymentMethodId: Id('paymentMethod'),
    uniqueId: optional('Browser: names this authentication'),
    threeDsMethodUrl: optional('Browser: where a hidden frame posts threeDsMethodData'),
    threeDsMethodSignature: optional('Browser: of older clients'),
    threeDsMethodData: optional('Browser: what it posts'),
    sessionId: optional('App: names this authentication'),
    sessionSecret: optional('App: opens it'),
    protocolVersion: optional('App: of the messages, 2.2.0'),
    ravelinPublicKey: optional('App: what its 3DS library is started with'),
  }),
});

/** The issuer asks the cardholder himself (EMV 3DS 2.2 §5.9). */
const Challenge = Type.Object({
  type: Type.Literal('Challenge'),
  challenge: Type.Object({
    acsUrl: Type.String({ description: 'The page of the issuer to which cReq is posted' }),
    cReq: Type.String({ description: 'The request, base64url' }),
    threeDSServerTransactionID: optional('App: names this authentication'),
    acsTransactionID: optional('App: what the issuer calls it'),
    acsRefNumber: optional('App: names the issuer'),
    acsSignedContent: optional('App: what the issuer signed'),
  }),
});

/** The browser goes to a page of the issuer, which sends it back to the shop: what older clients know. */
const Redirect = Type.Object({
  type: Type.Literal('Redirect'),
  url: Type.String({ description: 'Where the browser goes; it comes back to returnUrl' }),
});

/** What has to happen before the payment goes on; only while it is PendingAction (Spec §2.2, rule 4). */
export const RequiredAction = Type.Union([Identify, Challenge, Redirect], { title: 'RequiredAction' });
export type RequiredAction = Static<typeof RequiredAction>;
