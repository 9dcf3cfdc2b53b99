import { Refusal } from '../../platform/http/refusals.ts';
import {
  readCard,
  schemeOf,
  securityCodeLength,
  openWallet,
  type WalletToken,
} from '../../bank/issuer/card.ts';
import type { SessionCreation } from './payment-session-request.schema.ts';
import type { WalletNetworkToken } from './network-token.schema.ts';
import type { AttemptRequest } from './attempt.schema.ts';
import type { Attempt } from './attempt-payment.ts';
import type { PaymentInstrument } from './tokenise.ts';

/**
 * Reads an attempt from a request. The card number is read here and not passed on as text.
 * @throws Refusal unless the request has exactly one payment instrument, and a well-formed one.
 */
export function readAttempt(body: AttemptRequest, nowMs: number): Attempt {
  return {
    instrument: readInstrument(body, nowMs),
    authenticatedElsewhere: body.authenticationParameters !== undefined,
    store: body.paymentMethodOptions?.store ?? false,
    channel: body.threeDsRequestDetails?.deviceChannel ?? 'Browser',
    payer: body.customerDetails,
    billingAddress: body.billingAddress ?? body.addressRequest,
    shippingDetails: body.shippingDetails,
  };
}

function readInstrument(body: AttemptRequest, nowMs: number): PaymentInstrument {
  const { cardDetails, walletDetails, walletNetworkToken, paymentMethod } = body;
  const given = [cardDetails, walletDetails, walletNetworkToken, paymentMethod];
  if (given.filter((each) => each !== undefined).length !== 1) {
    const members = 'cardDetails, walletDetails, walletNetworkToken and paymentMethod';
    throw new Refusal('one_payment_method', { members });
  }
  if (walletNetworkToken) return readNetworkToken(walletNetworkToken);
  if (cardDetails) return readCardDetails(cardDetails);
  if (walletDetails) return readWallet(walletDetails, nowMs);
  return { kind: 'token', paymentMethodId: paymentMethod!.id, cvc: paymentMethod!.cvc };
}

/** Returns the instrument of a new session that is paid at once. @throws Refusal `one_payment_method`. */
export function readInstantInstrument({
  paymentMethod,
  walletNetworkToken,
}: NonNullable<SessionCreation['attemptPayment']>): PaymentInstrument {
  if ((paymentMethod === undefined) === (walletNetworkToken === undefined)) {
    const members = 'attemptPayment.paymentMethod and attemptPayment.walletNetworkToken';
    throw new Refusal('one_payment_method', { members });
  }
  if (walletNetworkToken) return readNetworkToken(walletNetworkToken);
  return { kind: 'token', paymentMethodId: paymentMethod!.id, cvc: paymentMethod!.cvc };
}

function readNetworkToken(token: WalletNetworkToken): PaymentInstrument {
  const { number, expiryMonth: month, expiryYear: year, type: wallet } = token;
  return { kind: 'wallet', card: readCard(number, { month, year }), wallet };
}

function readCardDetails(details: NonNullable<AttemptRequest['cardDetails']>): PaymentInstrument {
  const { number, expiryMonth: month, expiryYear: year, cvc } = details;
  const scheme = schemeOf(number);
  if (scheme && cvc !== undefined && cvc.length !== securityCodeLength(scheme)) {
    const problem = `must be ${securityCodeLength(scheme)} digits for ${scheme}`;
    throw new Refusal('invalid_field', { field: 'cardDetails.cvc', problem });
  }
  return { kind: 'card', card: readCard(number, { month, year }), cvc };
}

function readWallet(details: NonNullable<AttemptRequest['walletDetails']>, nowMs: number): PaymentInstrument {
  const { type, googlePayToken, applePayToken } = details;
  const token: WalletToken = type === 'GooglePay' ? { type, googlePayToken } : { type, applePayToken };
  const card = openWallet(token, nowMs);
  if (!card) {
    const [field, problem] =
      type === 'GooglePay'
        ? ['googlePayToken', 'must be JSON text']
        : ['applePayToken', 'must be base64 text'];
    throw new Refusal('invalid_field', { field: `walletDetails.${field}`, problem });
  }
  return { kind: 'wallet', card, wallet: type };
}
