import { REFUSALS, type RefusalName } from '../../../server/platform/http/refusals.ts';
import { OPERATIONS } from './operations.ts';
import { RULES, type Rule } from './rules.ts';

type Rules = typeof RULES;
type Operations = typeof OPERATIONS;

type RuleTag = { [S in keyof Rules]: `spec:${S}/${keyof Rules[S] & string}` }[keyof Rules];
type OperationTag = {
  [S in keyof Operations]: Operations[S][number] extends infer O
    ? O extends `${infer Method} ${infer Path}`
      ? `spec:${S}/${Method}${Path}`
      : never
    : never;
}[keyof Operations];
type RefusalTag = `refusal:${RefusalName}`;

/** What a test may say that it shows: `test('title', { tags: ['spec:4.12/cancel-action'] }, ...)`. */
type Tag = RuleTag | OperationTag | RefusalTag;

declare module 'vitest' {
  interface TestTags {
    specification: Tag;
  }
}

/** An operation or a rule of the specification, as the page docs/coverage.md lists it. */
export interface Entry {
  section: string;
  /** The operation, such as `POST /customers`, or the rule in words. */
  text: string;
  tag: Tag;
}

export const OPERATION_ENTRIES: readonly Entry[] = Object.entries(OPERATIONS).flatMap(
  ([section, operations]) =>
    operations.map((text) => ({ section, text, tag: `spec:${section}/${text.replace(' ', '')}` as Tag })),
);

export const RULE_ENTRIES: readonly Entry[] = Object.entries<Readonly<Record<string, Rule>>>(RULES).flatMap(
  ([section, rules]) =>
    Object.entries(rules).map(([slug, rule]) => ({
      section,
      text: typeof rule === 'string' ? rule : rule[0],
      tag: `spec:${section}/${slug}` as Tag,
    })),
);

const refusalTag = (name: RefusalName): Tag => `refusal:${name}`;

/** Every tag, as vitest.config.ts declares them. */
export const TAGS: { name: Tag; description: string }[] = [
  ...[...OPERATION_ENTRIES, ...RULE_ENTRIES].map(({ tag, text }) => ({ name: tag, description: text })),
  ...Object.entries(REFUSALS).map(([name, { message }]) => ({
    name: refusalTag(name as RefusalName),
    description: message,
  })),
];
