import { Readable } from 'node:stream';
import { passesLuhnCheck } from '../../protocol/card-numbers.ts';
import { type Random, createIds } from '../../protocol/ids.ts';
import type { Clock } from '../../protocol/clock.ts';
import { ONLINE_DECLINES, TEST_PIN } from '../../protocol/test-cards.ts';
import { numberOfTestCard } from '../../server/bank/issuer/test-cards.ts';
import type { TraceSecret, Trace } from '../../server/traces/trace-format.schema.ts';
import { problemOfIban } from '../../server/api/payouts/iban.ts';
import { readHeader } from '../../server/sandboxes/snapshots/read-snapshot.ts';
import { packSnapshot } from '../../server/sandboxes/snapshots/write-snapshot.ts';
import { mapTexts } from './bindings.ts';

/** Puts values in the place of the placeholders of a trace. */
export interface FilledPlaceholders {
  /** Returns a text with a value for each placeholder: the same for the same secret everywhere. */
  fill(text: string): string;
  /** Sets the value of a secret that the replay has made itself. */
  bind(secret: number, value: string): void;
  /** Returns the value of the secret of this kind; undefined for none. */
  settingOf(of: NonNullable<TraceSecret['of']>): string | undefined;
}

export function fillPlaceholders(
  secrets: readonly TraceSecret[],
  parts: { clock: Clock; random: Random },
): FilledPlaceholders {
  const ids = createIds(parts.clock, parts.random);
  const values = new Map<number, string>();

  function valueOf(number: number): string {
    const known = values.get(number);
    if (known !== undefined) return known;
    const secret = secrets.find((each) => each.number === number);
    const { prefix, length, isUuid } = secret ?? { prefix: '', length: 32, isUuid: false };
    const value = prefix + (isUuid ? ids.uuid() : ids.secret(length).slice(0, length));
    values.set(number, value);
    return value;
  }

  return {
    fill: (text) =>
      text.replaceAll(/\{\{([^{}]+)\}\}/g, (placeholder, content: string) => {
        const [kind = '', ...fields] = content.split(':');
        if (kind === 'secret') return valueOf(Number(fields[0]));
        return FILLERS[kind]?.(...fields) ?? placeholder;
      }),
    bind: (number, value) => void values.set(number, value),
    settingOf(of) {
      const secret = secrets.find((each) => each.of === of);
      return secret && valueOf(secret.number);
    },
  };
}

/** By the kind of the placeholder (docs/traces.md, What is not in it). */
const FILLERS: Record<string, (...fields: string[]) => string | undefined> = {
  brace: () => '{{',
  card: (name = '') => numberOfTestCard(name),
  number: (shown = '') => (shown.includes('··') ? numberLike(shown) : '1'.repeat(Number(shown))),
  code: (length, reason) =>
    ONLINE_DECLINES.find(({ code }) => code === reason)?.cvc ?? '1234567890'.slice(0, Number(length)),
  iban: (country = '', length = '', last4 = '') => ibanLike(country, Number(length), last4),
  digits: (length, last4 = '') => last4.padStart(Number(length), '1'),
  pin: (place) => TEST_PIN[Number(place) - 1],
  wrong: (place) => (TEST_PIN[Number(place) - 1] === '9' ? '8' : '9'),
};

/** Returns a card number with this BIN and last four, and a check digit that is right. */
function numberLike(shown: string): string | undefined {
  const [bin = '', last4 = ''] = shown.split('··');
  const middle = /^3[47]/.test(bin) ? 5 : 6;
  return Array.from({ length: 10 }, (_, digit) => bin + String(digit).padStart(middle, '0') + last4).find(
    passesLuhnCheck,
  );
}

/** Returns an IBAN of a country with this length and these last characters, and check digits that are right. */
function ibanLike(country: string, length: number, last4: string): string | undefined {
  const account = last4.padStart(length - 4, '1');
  return Array.from(
    { length: 100 },
    (_, check) => `${country}${String(check).padStart(2, '0')}${account}`,
  ).find((iban) => problemOfIban(iban, country) === undefined);
}

/** Returns the snapshot with which a trace begins, with values in the place of its placeholders. */
export async function filledSnapshot({ snapshot }: Trace, { fill }: Pick<FilledPlaceholders, 'fill'>) {
  async function* lines(): AsyncGenerator<unknown[]> {
    yield [filled(snapshot.header)];
    for (const line of snapshot.lines) yield [filled(line)];
  }
  const filled = (line: unknown): unknown => mapTexts(line, fill);
  const chunks: Buffer[] = [];
  for await (const chunk of packSnapshot(lines())) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const file = { open: () => Readable.from([bytes]), bytesMax: bytes.length };
  return { header: await readHeader(file), file };
}
