import { expect, test } from 'vitest';
import { countFrom } from '../count-from.ts';
import { LINE_LANGUAGES, type LineLanguage } from './languages.ts';
import { payOverMutatedLine, planOf } from './mutated-payment.ts';
import type { Direction } from './mutations.ts';

/** Payments for each language and direction: some dozens, or 5,000 by `npm run prove:lines`. */
const PAYMENTS = countFrom('LINE_PAYMENTS', 24);
/** Another run. */
const RUN = process.env['SEED'] ?? '';
/** Repeats the one payment with this seed, and prints what was on the line. */
const ONE = process.env['LINE_SEED'];
const LIMIT_MS = 7_200_000;
const FAILURES_MAX = 10;

const isSome = (count: number) => count > 0;

const directions = ['to the till', 'to the terminal'] as const;

/** Declares the tests of a language on the lines that it has. */
export function testMutatedLines(driver: string): void {
  const languages = LINE_LANGUAGES.filter((language) => language.driver === driver);

  test.each(languages)('$name: a payment over a right line is paid', async (language) => {
    const { broken, told } = await payOverMutatedLine(language, 'right', undefined);
    expect({ broken, told }).toEqual({ broken: [], told: 'paid' });
  });

  test.each(
    languages.flatMap((language) =>
      directions.map((direction) => ({ language, direction, name: language.name })),
    ),
  )(
    '$name: whatever becomes of messages $direction, the payment ends, and is told as the terminal has it or as unknown',
    async ({ language, direction }) => {
      const { failures, told, struck, payments } = await payAll(language, direction);
      expect(failures).toEqual([]);
      if (ONE !== undefined) return;
      expect(told).toMatchObject({
        paid: expect.toSatisfy(isSome),
        'not paid': expect.toSatisfy(isSome),
      });
      // By chance a mutation leaves a message as it is, or strikes one that the payment does not have.
      expect(struck).toBeGreaterThan(0.6 * payments);
    },
    LIMIT_MS,
  );
}

async function payAll(language: LineLanguage, direction: Direction) {
  const startMs = performance.now();
  const right = await payOverMutatedLine(language, 'right', undefined);
  const failures: object[] = [];
  const told: Record<string, number> = { paid: 0, 'not paid': 0, unknown: 0 };
  let struck = 0;
  const seeds =
    ONE === undefined ? Array.from({ length: PAYMENTS }, (_, number) => `${RUN}${number}`) : [ONE];
  for (const seed of seeds) {
    const plan = planOf(seed, direction, right.counts[direction]);
    const { broken, shown, ...payment } = await payOverMutatedLine(language, seed, plan);
    told[payment.told] = (told[payment.told] ?? 0) + 1;
    if (payment.struck > 0) struck += 1;
    if (ONE !== undefined) process.stdout.write(`${shown}\n`);
    const { mutation, places } = plan;
    if (broken.length > 0) failures.push({ seed, broken, mutation, places: places.slice(0, 2) });
    if (failures.length === FAILURES_MAX) break;
  }
  if (process.env['LINE_PAYMENTS'] !== undefined) {
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    const row = { line: language.name, direction, payments: seeds.length, struck, ...told, seconds };
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
  return { failures, told, struck, payments: seeds.length };
}
