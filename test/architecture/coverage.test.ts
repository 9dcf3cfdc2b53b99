import { expect, test } from 'vitest';
import { ROUTES } from '../../server/routes.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { REFUSALS } from '../../server/platform/http/refusals.ts';
import { ALIASES, OWN_OPERATIONS } from './specification/operations.ts';
import { RULES, type Rule } from './specification/rules.ts';
import { filesByTag } from './specification/tagged-tests.ts';
import { OPERATION_ENTRIES, RULE_ENTRIES, TAGS, type Entry } from './specification/tags.ts';
import { CHOICES, LENGTHS, METADATA_ENTRIES, PAGES, REQUIRED } from './stated-limits.ts';

/** What the specification prints (91), and the files, products, SKUs and orders that it only names (9). */
const OPERATIONS_COUNT = 91 + 9;

const served = new Map(
  ROUTES.filter(({ surface }) => surface === 'v1').map(({ operation, section }) => [operation, section]),
);

const SHOWN = filesByTag();

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

const unshown = (entries: readonly Entry[]) => entries.map(({ tag }) => tag).filter((tag) => !SHOWN.has(tag));

test('operations: exactly those of the specification, their aliases and our own are served', () => {
  expect(OPERATION_ENTRIES).toHaveLength(OPERATIONS_COUNT);
  const known = [...OPERATION_ENTRIES.map(({ text }) => text), ...Object.keys(ALIASES), ...OWN_OPERATIONS];
  expect([...served.keys()].sort()).toEqual(known.sort());
  expect(Object.values(ALIASES).filter((operation) => !served.has(operation))).toEqual([]);
});

test('operations: each route cites the section of its operation', async () => {
  const elsewhere = OPERATION_ENTRIES.filter(
    ({ text, section }) => !cites(served.get(text)!, `Spec §${section}`),
  ).map(({ text, section }) => `${text}: ${served.get(text)}, not Spec §${section}`);
  expect(elsewhere).toEqual([]);
});

test('operations: each of our own cites a choice', () => {
  const uncited = OWN_OPERATIONS.filter((each) => !/^docs.choices\.md, /.test(served.get(each)!));
  expect(uncited).toEqual([]);
});

test('operations: each has a test with its tag', () => {
  expect(unshown(OPERATION_ENTRIES)).toEqual([]);
});

const SUMS = [
  [
    OPERATION_ENTRIES.length,
    RULE_ENTRIES.length,
    Object.keys(REFUSALS).length,
    EVENT_TYPE_NAMES.length,
    METADATA_ROWS + Object.keys(PAGES).length + LENGTH_ROWS + REQUIRED_ROWS + CHOICE_ROWS,
  ],
];

test.each(SUMS)(
  'tables: %i operations, %i rules, %i refusals, %i event types and %i stated limits have a row each',
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

test('rules: every section has some, and every rule that a section numbers is among them', () => {
  expect(Object.keys(RULES).sort()).toEqual(Object.keys(NUMBERED).sort());
  for (const [section, rules] of Object.entries<Readonly<Record<string, Rule>>>(RULES)) {
    const listed = Object.values(rules).flatMap((rule) => (typeof rule === 'string' ? [] : rule.slice(1)));
    const numbers = Array.from({ length: NUMBERED[section]! }, (_, index) => index + 1);
    expect([section, [...new Set(listed)].sort()]).toEqual([section, numbers]);
  }
});

test('rules: every section that a refusal cites has some', () => {
  // `Spec §2` is the whole chapter, `Spec §5.2` the second rule of §5.
  const has = (cited: string) =>
    Object.keys(RULES)
      .map((section) => `Spec §${section}.`)
      .some((known) => known.startsWith(`${cited}.`) || `${cited}.`.startsWith(known));
  const cited = Object.values(REFUSALS).map(({ section }): string => section);
  expect(cited.filter((section) => section.startsWith('Spec') && !has(section))).toEqual([]);
});

test('rules: each has a test with its tag, and is stated once in its section', () => {
  expect(unshown(RULE_ENTRIES), 'give the test that shows each of these rules its tag').toEqual([]);
  const sentences = RULE_ENTRIES.map(({ section, text }) => `${section} ${text}`);
  expect(new Set(sentences).size).toBe(RULE_ENTRIES.length);
});

test('tags: each is declared, and every operation and rule has a tag of its own', () => {
  const declared = new Set(TAGS.map(({ name }): string => name));
  expect(declared.size).toBe(TAGS.length);
  expect([...SHOWN.keys()].filter((tag) => !declared.has(tag))).toEqual([]);
});
