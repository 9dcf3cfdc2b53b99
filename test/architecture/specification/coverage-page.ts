import { posix } from 'node:path';
import { OPERATION_ENTRIES, RULE_ENTRIES, type Entry } from './tags.ts';

/** What each section of the specification is about, in their order: keys of an object would not keep it. */
const SECTIONS: readonly (readonly [section: string, title: string])[] = [
  ['1', 'The service'],
  ['2.1', 'Conventions'],
  ['2.2', 'Payment session'],
  ['2.3', 'Account'],
  ['2.4', 'Person'],
  ['2.5', 'Payout method'],
  ['2.6', 'Payout'],
  ['2.7', 'Location'],
  ['2.8', 'Terminal'],
  ['3', 'States and transitions'],
  ['4', 'Lists'],
  ['4.1', 'Payment sessions'],
  ['4.2', 'Webhooks and events'],
  ['4.3', 'Accounts and onboarding'],
  ['4.4', 'Persons'],
  ['4.5', 'Payout methods'],
  ['4.6', 'Payouts'],
  ['4.7', 'Transfers, balances, conversions and platform fees'],
  ['4.8', 'Customers, payment methods and subscriptions'],
  ['4.9', 'Disputes'],
  ['4.10', 'Wallet payments on the web'],
  ['4.11', 'In-person locations'],
  ['4.12', 'In-person terminals'],
  ['4.13', 'Files, products, SKUs and orders'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
];

/** The page docs/coverage.md, from the tests' files by tag. */
export function coveragePage(files: ReadonlyMap<string, readonly string[]>): string {
  const shown = (entries: readonly Entry[]) => entries.filter(({ tag }) => files.has(tag)).length;
  const [operations, rules] = [OPERATION_ENTRIES, RULE_ENTRIES].map(
    (entries) => `${shown(entries)} of ${entries.length}`,
  );
  return `# Coverage of the specification

To see whether an operation or a rule is implemented, look for it here: each is listed with the tests that show it.
${operations} operations and ${rules} rules have a test. Section numbers are those of the service's specification.

This page is made from the tags of the tests: \`npm run docs\` writes it, and a test checks that it is current. To run
the tests of one section, name its tags:

\`\`\`sh
npm test -- --tags-filter 'spec:4.12/*'
\`\`\`

## Operations

${sections(OPERATION_ENTRIES, files, (text) => `\`${text}\``)}

## Rules

${sections(RULE_ENTRIES, files, (text) => text)}
`;
}

function sections(
  entries: readonly Entry[],
  files: ReadonlyMap<string, readonly string[]>,
  write: (text: string) => string,
): string {
  return SECTIONS.map(([section, title]) => {
    const lines = entries
      .filter((entry) => entry.section === section)
      .map(({ text, tag }) => {
        const shownBy = files.get(tag) ?? [];
        const links = shownBy.map((file) => `[${posix.basename(file, '.test.ts')}](../test/${file})`);
        return `- [${shownBy.length > 0 ? 'x' : ' '}] ${write(text)} ${links.join(', ')}`.trimEnd();
      });
    return lines.length > 0 ? [`### §${section} ${title}`, '', ...lines].join('\n') : '';
  })
    .filter((part) => part !== '')
    .join('\n\n');
}
