import { replaceCardNumbersBesideIds } from '../../protocol/card-numbers.ts';
import { TEST_PIN } from '../../protocol/test-cards.ts';
import { nameOfTestCard } from '../bank/issuer/test-cards.ts';
import type { ServerSettings } from '../platform/settings.ts';
import { hideUrlSecrets } from '../platform/mask-secrets.ts';
import type { TraceSecret } from './trace-format.schema.ts';

/** Texts that are looked for in others by comparison. */
interface KnownTexts {
  /** @param text as long as the shortest at least */
  add(text: string): void;
  /** Returns a text with something in place of each known one; of two at one place the longer. */
  replacedIn(text: string, replace: (known: string) => string): string;
}

/** Texts with the same beginning. */
interface Bucket {
  texts: Set<string>;
  /** Their lengths, the longest first. */
  lengths: number[];
}

/**
 * Creates an empty set of texts. To look for any number of them costs one pass: each place is compared with those that begin
 * with its next `lengthMin` characters.
 */
export function createKnownTexts(lengthMin: number): KnownTexts {
  const buckets = new Map<string, Bucket>();
  const firstCodes = new Set<number>();

  function knownAt(text: string, at: number): string | undefined {
    if (!firstCodes.has(text.charCodeAt(at))) return undefined;
    const bucket = buckets.get(text.slice(at, at + lengthMin));
    const length = bucket?.lengths.find((some) => bucket.texts.has(text.slice(at, at + some)));
    return length === undefined ? undefined : text.slice(at, at + length);
  }

  return {
    add(text) {
      const start = text.slice(0, lengthMin);
      const bucket = buckets.get(start) ?? { texts: new Set(), lengths: [] };
      buckets.set(start, bucket);
      bucket.texts.add(text);
      if (!bucket.lengths.includes(text.length))
        bucket.lengths = [...bucket.lengths, text.length].sort((one, other) => other - one);
      firstCodes.add(text.charCodeAt(0));
    },
    replacedIn(text, replace) {
      let [replaced, done] = ['', 0];
      for (let at = 0; at + lengthMin <= text.length; at += 1) {
        const known = knownAt(text, at);
        if (known === undefined) continue;
        replaced += text.slice(done, at) + replace(known);
        done = at + known.length;
        at = done - 1;
      }
      return done === 0 ? text : replaced + text.slice(done);
    },
  };
}

/** Begins each placeholder; a text that has it is written with the placeholder `{{brace}}` in its place. */
const BRACE = '{{';

// A secret with the form of a key, anywhere in a text.
const SECRET =
  /(?:\b[a-z]{2,8}_[0-7][0-9A-HJKMNP-TV-Z]{25}_secret_[\w-]+|\b[sp]k_[\w-]{3,}|\bwhs_[\w-]+|\bdash_[\w-]+|_secret_[\w-]{16,})/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// A shorter one might stand in a text by chance.
const KNOWN_LENGTH_MIN = 12;

/** Gives the secrets of a trace their placeholders. The same secret has the same placeholder everywhere. */
export interface SecretBook {
  /** Returns the placeholder of a secret. */
  placeholderOf(secret: string): string;
  /** Returns a text with placeholders for the secrets and card numbers in it. */
  masked(text: string): string;
  /** Returns placeholders for keys pressed at a terminal, of which digits may be a PIN. */
  maskedKeys<Key extends string>(terminalId: string, keys: readonly Key[]): Key[];
  secrets(): TraceSecret[];
}

export function createSecretBook(settings: ServerSettings): SecretBook {
  const numbers = new Map<string, number>();
  const secrets: TraceSecret[] = [];
  const withoutForm = createKnownTexts(KNOWN_LENGTH_MIN);
  const typed = new Map<string, number>();

  function numberOf(secret: string, of: TraceSecret['of'] = null): number {
    const known = numbers.get(secret);
    if (known !== undefined) return known;
    const number = secrets.length + 1;
    const prefix = /^(?:.*_secret_|[a-z]{2,4}_(?:sandbox_|live_)?|Bearer )/.exec(secret)?.[0] ?? '';
    const rest = secret.slice(prefix.length);
    secrets.push({ number, of, prefix, length: rest.length, isUuid: UUID.test(rest) });
    numbers.set(secret, number);
    const hasForm = secret.match(SECRET)?.[0] === secret;
    if (!hasForm && secret.length >= KNOWN_LENGTH_MIN) withoutForm.add(secret);
    return number;
  }

  const placeholderOf = (secret: string) => `{{secret:${numberOf(secret)}}}`;
  // Each value has its own, since a token in the URL of a reply is sent alone in a form.
  const urlParts = {
    userInfo: placeholderOf,
    query: (query: string) =>
      query.replaceAll(
        /(?<=^|&)([^&=]*=)?([^&]+)/g,
        (_, name: string = '', value: string) => name + placeholderOf(value),
      ),
  };

  const { secretKey, publicKey, hostKey, dashboardToken, pairingSecret } = settings;
  for (const [of, secret] of Object.entries({ secretKey, publicKey, hostKey, dashboardToken, pairingSecret }))
    if (secret !== undefined) numberOf(secret, of as TraceSecret['of']);

  return {
    placeholderOf,
    masked(text) {
      let shown = hideUrlSecrets(text.replaceAll(BRACE, '{{brace}}'), urlParts);
      shown = withoutForm.replacedIn(shown, placeholderOf);
      shown = shown.replace(SECRET, placeholderOf);
      return replaceCardNumbersBesideIds(shown, cardPlaceholder);
    },
    maskedKeys<Key extends string>(terminalId: string, keys: readonly Key[]): Key[] {
      let place = typed.get(terminalId) ?? 0;
      const shown = keys.map((key) => {
        if (!/^\d$/.test(key)) {
          place = 0;
          return key;
        }
        place += 1;
        return `{{${key === TEST_PIN[place - 1] ? 'pin' : 'wrong'}:${place}}}` as Key;
      });
      typed.set(terminalId, place);
      return shown;
    },
    secrets: () => secrets.map((secret) => ({ ...secret })),
  };
}

/** The placeholder of a card number: the name of its test card, else its BIN and last four. */
export function cardPlaceholder(digits: string): string {
  const name = nameOfTestCard(digits);
  return name === undefined
    ? `{{number:${digits.length < 13 ? digits.length : `${digits.slice(0, 6)}··${digits.slice(-4)}`}}}`
    : `{{card:${name}}}`;
}
