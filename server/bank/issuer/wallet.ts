import { numberWith } from '../../../protocol/test-cards.ts';
import { readCard, type Card } from './card.ts';

/** A wallet's payment: the card in an encrypted token. */
export type WalletToken =
  | { type: 'GooglePay'; googlePayToken: string | undefined }
  | { type: 'ApplePay'; applePayToken: string | undefined };

const WALLET_CARD = numberWith('frictionless');
const WALLET_CARD_YEARS = 3;

/**
 * Returns the card in a wallet's token. No token can be opened here, so any that looks like one holds the sandbox's
 * first card (docs/choices.md, Wallets): Google's begins as a JSON object, Apple's as base64, and both may be cut short,
 * as in the samples of client libraries. Undefined for any other text.
 */
export function openWallet(token: WalletToken, nowMs: number): Card | undefined {
  const isToken =
    token.type === 'GooglePay'
      ? isJsonBeginning(token.googlePayToken)
      : isBase64Beginning(token.applePayToken);
  if (!isToken) return undefined;
  const year = String(new Date(nowMs).getUTCFullYear() + WALLET_CARD_YEARS);
  return readCard(WALLET_CARD, { month: '12', year });
}

function isJsonBeginning(text: string | undefined): boolean {
  return text !== undefined && /^\s*\{\s*["}]/.test(text);
}

function isBase64Beginning(text: string | undefined): boolean {
  return text !== undefined && /^[A-Za-z0-9+/_-]+(={0,2}|\.*)$/.test(text);
}
