import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openChanges } from '../../scripts/new/changes.mjs';
import { addNew } from '../../scripts/new/kinds.mjs';

const PROJECT = join(import.meta.dirname, '../..');

/** What `npm run new` reads and changes, without the rest of the project. */
const COPIED = [
  'scripts',
  'protocol/ids.ts',
  'agent/readers',
  'simulator/cards',
  'simulator/twins',
  'server/api',
  'server/background-jobs.ts',
  'server/routes.ts',
  'server/platform/store/migrations',
  'cli',
  'test/architecture',
  'test/journeys/every-value',
  'test/system/command-examples',
  'docs/choices',
  'docs/choices.md',
  '.prettierrc.json',
];

/** A line that is refused, and the beginning of what is printed. */
const REFUSED: [words: string[], message: string][] = [
  [[], 'usage: npm run new -- KIND NAME'],
  [['resource'], 'usage: npm run new -- KIND NAME'],
  [['table', 'x'], "'table' is no kind: it is one of resource, property, event, card, driver, command"],
  [
    ['resource', 'Gift Card'],
    "'Gift Card' is not a name: use words of small letters and digits, joined by '-'",
  ],
  [['command', '../up'], "'../up' is not a name"],
  [['card', 'x'.repeat(41)], 'is too long: a name has at most 40 characters'],
  [
    ['resource', 'location'],
    "the resource 'location' already exists: server/api/in-person/terminals/location.schema.ts",
  ],
  [['resource', 'action', '--area', 'in-person'], "the resource 'action' already exists"],
  [['resource', 'webhook-secret'], "'webhook-secret' is taken: protocol/ids.ts has an id of this kind"],
  [['resource', 'job'], "'job' is taken: server/platform/store/migrations/"],
  [['resource', 'gift-card', '--area', 'shops'], '--area: server/api/shops does not exist'],
  [['event', 'customer.renamed'], "'customer.renamed' is not the name of an event"],
  [['event', 'Customer.updated'], 'the event Customer.updated already exists'],
  [['event', 'Shop.opened'], 'no event has an object Shop: the objects are PaymentSession, Account,'],
  [
    ['event', 'Customer.renamed'],
    '--after EVENT says which event Customer.renamed follows: it is one of Customer.created',
  ],
  [['property', 'terminal'], 'usage: npm run new -- KIND NAME'],
  [['card', 'visa-staff', 'more'], 'usage: npm run new -- KIND NAME'],
  [
    ['property', 'balance', 'colour'],
    "'balance' is no resource whose properties requests set: it is one of ",
  ],
  [['property', 'terminal', 'till number'], "'till number' is not the name of a property"],
  [['property', 'terminal', 'name'], "the property 'name' of terminal already exists"],
  [
    ['property', 'location', 'city'],
    "'city' is taken: server/api/in-person/terminals/location.schema.ts has City",
  ],
  [
    ['card', 'visa-lost', '--declines', 'lost'],
    "--declines: 'lost' is none of\n  insufficient_funds: the account of the card has too little money\n",
  ],
  [['command', 'stock', '--declines', 'pickup_card'], "--declines is for 'card' alone"],
  [
    ['event', 'Customer.renamed', '--after', 'Payout.created'],
    '--after: Customer has no event Payout.created',
  ],
  [['event', 'Customer.renamed', '--area', 'customers'], "--area is for 'resource' alone"],
  [['card', 'visa-swipe'], "the card 'visa-swipe' already exists"],
  [['driver', 'pn532'], 'agent/readers/pn532 already exists'],
  [['driver', 'crc'], 'agent/readers/crc already exists'],
  [['command', 'watch'], "the command 'watch' already exists"],
  [['command', 'stock', '--twice'], "Unknown option '--twice'"],
];

test.each(REFUSED)('new %j: is refused with the reason', (words, message) => {
  expect(() => addNew(openChanges(PROJECT), words)).toThrow(message);
});

test('new resource: writes its files and rows, and prints them and the next steps', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tapbench-new-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of COPIED) cpSync(join(PROJECT, path), join(root, path), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  const run = () =>
    promisify(execFile)(
      process.execPath,
      [join(root, 'scripts/new.mjs'), 'resource', 'tax-entry', '--no-docs'],
      { cwd: tmpdir() },
    );
  const text = (path: string) => readFileSync(join(root, path), 'utf8');

  const { stdout } = await run();
  expect(stdout).toContain('created server/api/tax-entries/tax-entry.records.ts\n');
  expect(stdout).toContain('changed server/routes.ts\n');
  expect(stdout).toContain('npx vitest run --project unit test/server/api/tax-entries/tax-entry.test.ts\n');
  expect(text('protocol/ids.ts')).toContain("taxEntry: { prefix: 'taxentry_', form: 'ulid' },");
  expect(text('server/api/tax-entries/tax-entry.records.ts')).toContain("table: 'tax_entries'");

  const written = text('server/routes.ts');
  await expect(run()).rejects.toMatchObject({
    code: 2,
    stderr: "the resource 'tax-entry' already exists: server/api/tax-entries/tax-entry.schema.ts\n",
  });
  expect(text('server/routes.ts')).toBe(written);
});

test('new --help: prints the kinds and their options, and writes nothing', async () => {
  for (const words of [['--help'], ['card', '--help'], ['-h']]) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      join(PROJECT, 'scripts/new.mjs'),
      ...words,
    ]);
    expect(stdout).toContain('card NAME [--declines CODE]');
    expect([stdout.startsWith('usage: npm run new -- KIND NAME\n'), stderr]).toEqual([true, '']);
  }
});

test('new card: writes the list of cards as npm run cards does', () => {
  const changes = openChanges(PROJECT);
  addNew(changes, ['card', 'visa-staff']);
  const imported = [
    ...changes.read('simulator/cards/card-files.ts').matchAll(/'\.\/profiles\/(.+)\.json'/g),
  ].map(([, name]) => name);
  expect(imported).toContain('visa-staff');
  expect(imported).toEqual(imported.toSorted());
});

test.each([
  'resource gift-card',
  'property terminal tillNumber',
  'event Customer.renamed --after Customer.updated',
  'card visa-staff',
  'card visa-lost --declines pickup_card',
  'driver acme-tap',
  'command stock',
])('new %s: each file that its templates import exists', (line) => {
  const changes = openChanges(PROJECT);
  addNew(changes, line.split(' '));
  const paths = [...changes.created];
  const imports = paths.flatMap((path) =>
    [...changes.read(path).matchAll(/from '(\..+)'/g)].map(([, to]) => posix.join(posix.dirname(path), to!)),
  );
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((path) => !changes.has(path))).toEqual([]);
});
