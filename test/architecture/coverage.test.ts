import { expect, test } from 'vitest';
import { allRoutes } from '../../server/routes.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { REFUSALS } from '../../server/platform/http/refusals.ts';
import { smallServer } from '../server/platform/http/small-server.ts';
import { ALIASES, OPERATIONS, type Shown } from './coverage.ts';
import { RULES } from './rule-coverage.ts';
import { CHOICES, LENGTHS, METADATA_ENTRIES, PAGES, REQUIRED } from './stated-limits.ts';
import { testTitles } from './test-titles.ts';

/** What the specification prints (91), and the files, products, SKUs and orders that it only names (9). */
const OPERATIONS_COUNT = 91 + 9;

async function servedOperations(): Promise<Map<string, string>> {
  const served = new Map<string, string>();
  await smallServer((services) => {
    const routes = allRoutes(services, undefined);
    for (const { operation, surface, section } of routes)
      if (surface === 'v1') served.set(operation, section);
    return routes;
  });
  return served;
}

const rows = Object.values(OPERATIONS).flatMap((operations) => Object.entries(operations));

const sizeOf = (table: Readonly<Record<string, object>>) =>
  Object.values(table).reduce((sum, each) => sum + Object.keys(each).length, 0);
const [METADATA_ROWS, LENGTH_ROWS, REQUIRED_ROWS, CHOICE_ROWS] = [
  sizeOf(METADATA_ENTRIES),
  sizeOf(LENGTHS),
  sizeOf(REQUIRED),
  sizeOf(CHOICES),
];

/** `Spec §2.2, §4.1` cites `Spec §4.1`. */
function cites(cited: string, section: string): boolean {
  return cited.split(', ').some((one) => one.replace(/^(Spec )?/, 'Spec ') === section);
}

/** Rows whose test is not there. */
function unshown(shown: readonly (readonly [string, Shown])[]): string[] {
  const titles = new Map<string, Set<string>>();
  for (const [, [file]] of shown) if (!titles.has(file)) titles.set(file, new Set(testTitles(file)));
  return shown
    .filter(([, [file, title]]) => !titles.get(file)!.has(title))
    .map(([what, [file, title]]) => `${what}: ${file} has no test '${title}'`);
}

test('every operation of the specification is in the table and served, and nothing else is', async () => {
  const served = await servedOperations();
  expect(rows).toHaveLength(OPERATIONS_COUNT);
  const known = [...rows.map(([operation]) => operation), ...Object.keys(ALIASES)];
  expect([...served.keys()].sort()).toEqual(known.sort());
  expect(Object.values(ALIASES).filter((operation) => !served.has(operation))).toEqual([]);
});

test('every operation cites the section that prints it', async () => {
  const served = await servedOperations();
  const elsewhere = Object.entries(OPERATIONS).flatMap(([section, operations]) =>
    Object.keys(operations)
      .filter((operation) => !cites(served.get(operation)!, section))
      .map((operation) => `${operation}: ${served.get(operation)}, not ${section}`),
  );
  expect(elsewhere).toEqual([]);
});

test('every operation is shown by a test that is there', () => {
  expect(unshown(rows)).toEqual([]);
});

const rules = Object.entries(RULES).flatMap(([section, each]) =>
  each.map(([rule, ...shown]) => [`${section} ${rule}`, shown] as const),
);
const SUMS = [
  [
    rows.length,
    rules.length,
    Object.keys(REFUSALS).length,
    EVENT_TYPE_NAMES.length,
    METADATA_ROWS + Object.keys(PAGES).length + LENGTH_ROWS + REQUIRED_ROWS + CHOICE_ROWS,
  ],
];

test.each(SUMS)(
  '%i operations, %i rules, %i refusals, %i event types and %i stated limits have a row each',
  (...sums) => {
    expect(sums.every((sum) => sum > 0)).toBe(true);
  },
);

/** Its sections with something to show, and how many rules it numbers in each. */
const NUMBERED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '3', '4'].map((name) => [name, 0]),
  ),
  ...Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`4.${index + 1}`, 0])),
  '2.2': 4,
  '4.6': 4,
  '5': 7,
  '6': 8,
  '7': 3,
  '8': 0,
  // The third is a word to clients, the fourth says that something is not said.
  '9': 2,
};

test('every section of the specification has rules, and every rule that it numbers has a row', () => {
  expect(Object.keys(RULES).sort()).toEqual(
    Object.keys(NUMBERED)
      .map((name) => `Spec §${name}`)
      .sort(),
  );
  for (const [name, count] of Object.entries(NUMBERED)) {
    const named = RULES[`Spec §${name}`]!.flatMap(
      ([rule]) => /\((\d(?:, \d)*)\)$/.exec(rule)?.[1]?.split(', ') ?? [],
    );
    const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
    expect([name, [...new Set(named)].sort()]).toEqual([name, numbers]);
  }
  // `Spec §2` is the whole chapter, `Spec §5.2` the second rule of §5.
  const has = (section: string) =>
    Object.keys(RULES).some(
      (known) => `${known}.`.startsWith(`${section}.`) || `${section}.`.startsWith(`${known}.`),
    );
  const cited = Object.values(REFUSALS).map(({ section }): string => section);
  expect(cited.filter((section) => section.startsWith('Spec') && !has(section))).toEqual([]);
});

test('every rule is shown by a test that is there', () => {
  expect(unshown(rules)).toEqual([]);
  expect(new Set(rules.map(([rule]) => rule)).size).toBe(rules.length);
});
