import { expect, test } from 'vitest';
import { allRoutes } from '../../server/routes.ts';
import { smallServer } from '../server/http/small-server.ts';
import { ALIASES, OPERATIONS, type Shown } from './coverage.ts';
import { RULES } from './rule-coverage.ts';
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

test('every rule is shown by a test that is there', () => {
  const rules = Object.entries(RULES).flatMap(([section, each]) =>
    each.map(([rule, ...shown]) => [`${section} ${rule}`, shown] as const),
  );
  expect(unshown(rules)).toEqual([]);
  expect(new Set(rules.map(([rule]) => rule)).size).toBe(rules.length);
});
