import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallStep, Scenario } from '../../../cli/compare/scenario.ts';
import { selectScenarios } from '../../../cli/compare/select-scenarios.ts';
import { packageRoot } from '../../../protocol/package-root.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { openApiDocument } from '../../../server/platform/http/openapi/openapi.ts';
import { REFUSALS } from '../../../server/platform/http/refusals.ts';
import { ROUTES } from '../../../server/routes.ts';
import { OPERATION_ENTRIES, RULE_ENTRIES } from '../../architecture/specification/tags.ts';
import { DECLARED } from '../../server/platform/http/declared-routes.ts';

/** What no scenario shows, with the reason. A heading of a choice stands for itself, a page for all of its headings. */
interface NotShown {
  operations: Record<string, string>;
  refusals: Record<string, string>;
  events: Record<string, string>;
  choices: Record<string, string>;
  filters: Record<string, string>;
}

const SCENARIOS = selectScenarios({ scenarios: undefined, only: undefined });
const DOCUMENT = openApiDocument(ROUTES) as {
  paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
};
const NOT_SHOWN = JSON.parse(readFileSync(join(packageRoot(), 'compare/not-shown.json'), 'utf8')) as NotShown;

/** Sections of refusals that the service cannot give: they are of what only Tapbench has. */
const OF_TAPBENCH = ['Sandbox', 'Sandboxes', 'Faults', 'Dashboard', 'Pairing', 'Health'];
/** Refusals of a path that leads to no operation. */
const OF_NO_OPERATION = ['unknown_path', 'final_slash', 'wrong_method', 'undecodable_path'];

const CHOICES = readdirSync(join(packageRoot(), 'docs/choices')).flatMap((page) =>
  [...readFileSync(join(packageRoot(), 'docs/choices', page), 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, heading]) => `${page.replace('.md', '')}#${anchorOf(heading!)}`,
  ),
);

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function stepsOf(scenarios: readonly Scenario[] = SCENARIOS) {
  return scenarios.flatMap(({ name, steps }) => steps.map((step) => ({ name, step })));
}

/** Operations that some scenario sees succeed. */
const SUCCEEDING = stepsOf().flatMap(({ step }) => {
  if ('until' in step) return [step.until];
  return 'call' in step && step.refusal === undefined ? [step.call] : [];
});
const REFUSED = stepsOf().flatMap(({ step }) => ('call' in step && step.refusal) || []);
const EVENTS = stepsOf().flatMap(({ step }) => ('event' in step ? [step.event] : []));
const SHOWN_CHOICES = SCENARIOS.flatMap(({ choices }) => choices);

/** What says where a page begins and how long it is, not what is in it. */
const OF_PAGES = ['limit', 'ascending', 'startsAfter', 'paginationToken'];
const FILTERS = Object.entries(DOCUMENT.paths).flatMap(([path, { get }]) =>
  (get?.parameters ?? [])
    .filter(({ in: place, name }) => path.startsWith('/v1/') && place === 'query' && !OF_PAGES.includes(name))
    .map(({ name }) => `GET ${path.slice('/v1'.length)}, ${name}`),
);
const ASKED_FILTERS = stepsOf().flatMap(({ step }) =>
  'call' in step && step.refusal === undefined
    ? Object.keys(step.query ?? {}).map((name) => `${step.call}, ${name}`)
    : [],
);

const OPERATIONS = DECLARED.map(({ operation }) => operation.replace(' /v1', ' '));
const REFUSAL_NAMES = Object.entries(REFUSALS)
  .filter(([, { section }]) => !OF_TAPBENCH.includes(section))
  .map(([name]) => name);

test.each([
  ['operation', OPERATIONS, SUCCEEDING, NOT_SHOWN.operations],
  ['refusal', REFUSAL_NAMES, REFUSED, NOT_SHOWN.refusals],
  ['event type', EVENT_TYPE_NAMES, EVENTS, NOT_SHOWN.events],
  ['choice', CHOICES, SHOWN_CHOICES, NOT_SHOWN.choices],
  ['filter', FILTERS, ASKED_FILTERS, NOT_SHOWN.filters],
])(
  'own scenarios: each %s is shown by one, or compare/not-shown.json says why not',
  (_, all, shown, { ...reasons }) => {
    const unseen = all.filter((one) => !shown.includes(one));
    const listed = Object.keys(reasons).flatMap((name) => {
      const ofPage = all.filter((one) => one.startsWith(`${name}#`));
      return ofPage.length > 0 ? ofPage : [name];
    });
    expect(listed.toSorted(), 'listed in compare/not-shown.json').toEqual(unseen.toSorted());
    for (const reason of Object.values(reasons)) expect(reason.length).toBeGreaterThan(10);
  },
);

test('own scenarios: what they call, and the rules and choices that they name, are there', () => {
  const elsewhere = stepsOf()
    .filter(({ step }) => !('call' in step && OF_NO_OPERATION.includes(step.refusal ?? '')))
    .flatMap(({ name, step }) => {
      const called = 'call' in step ? step.call : 'until' in step ? step.until : OPERATIONS[0]!;
      return OPERATIONS.includes(called) ? [] : [`${name}: ${called}`];
    });
  expect(elsewhere).toEqual([]);
  const rules = [...OPERATION_ENTRIES, ...RULE_ENTRIES].map(({ tag }) => tag.slice('spec:'.length));
  const strange = SCENARIOS.flatMap((scenario) => [
    ...scenario.rules.filter((rule) => !rules.includes(rule)),
    ...scenario.choices.filter((choice) => !CHOICES.includes(choice)),
  ]);
  expect(strange).toEqual([]);
});

test('own scenarios: each names a rule or a choice that it shows', () => {
  const nameless = SCENARIOS.filter(({ rules, choices }) => rules.length + choices.length === 0);
  expect(nameless.map(({ name }) => name)).toEqual([]);
});

test('own scenarios: where one names rules and choices, the choices do not decide all of its steps', () => {
  const both = SCENARIOS.filter(({ rules, choices }) => rules.length > 0 && choices.length > 0);
  expect(both.length).toBeGreaterThan(70);
  const whole = both.filter((scenario) => {
    const compared = scenario.steps.filter((step) => !('hand' in step) && !('then' in step));
    return compared.every((step) => 'choice' in step && typeof step.choice === 'string');
  });
  expect(whole.map(({ name }) => name)).toEqual([]);
});

test('own scenarios: none deletes a terminal that is there, and each that acts at one asks a person', () => {
  const acting = SCENARIOS.flatMap(({ name, hand, steps }) =>
    steps.flatMap((step) =>
      'call' in step && isAtATerminal(step) ? [{ name, hand, method: step.call.split(' ')[0] }] : [],
    ),
  );
  expect(acting.length).toBeGreaterThan(10);
  expect(acting.filter(({ hand, method }) => hand !== 'terminal' || method === 'DELETE')).toEqual([]);
});

function isAtATerminal({ call, path }: CallStep): boolean {
  const isAct = /^(?:POST|PATCH|DELETE) \/in-person\/terminals\//.test(call);
  return isAct && JSON.stringify(path).includes('${');
}

test('own scenarios: none has what only Tapbench has', () => {
  const sent = (step: object) => JSON.stringify({ ...step, choice: undefined });
  const own = stepsOf().filter(({ step }) => /sandbox(?!_)|magic|\/pairing/i.test(sent(step)));
  expect(own.map(({ name }) => name)).toEqual([]);
});
