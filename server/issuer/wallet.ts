import { AUTHENTICATED_CARDS } from './test-cards.ts';
import { readCard, type Card } from './card.ts';

/** What a wallet hands over: the cardholder's card in a sealed token. */
export type WalletToken =
  | { type: 'GooglePay'; googlePayToken: string | undefined }
  | { type: 'ApplePay'; applePayToken: string | undefined };

const WALLET_CARD = AUTHENTICATED_CARDS[0]!.number;
const WALLET_CARD_YEARS = 3;

/**
 * The card in a wallet's token. Nobody here can open one, so any that is well formed holds the sandbox's first
 * card (docs/choices.md, Wallets). Undefined for one that is not: Google's is JSON, Apple's is base64.
 */
export function openWallet(token: WalletToken, nowMs: number): Card | undefined {
  const wellFormed =
    token.type === 'GooglePay' ? isJsonObject(token.googlePayToken) : isBase64(token.applePayToken);
  if (!wellFormed) return undefined;
  const year = String(new Date(nowMs).getUTCFullYear() + WALLET_CARD_YEARS);
  return readCard(WALLET_CARD, { month: '12', year });
}

function isJsonObject(text: string | undefined): boolean {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function isBase64(text: string | undefined): boolean {
  return text !== undefined && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
}
