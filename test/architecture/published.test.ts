import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

/** What each entry of the package exports, types included: tests of users import it, so a name is never taken away. */
const PUBLISHED: Record<string, { file: string; names: string[] }> = {
  './world': {
    file: 'testing/world/user-world.ts',
    names: [
      'Answer',
      'Api',
      'Behaviour',
      'CARDS',
      'Delivery',
      'PayOptions',
      'PrintedReceipt',
      'PrinterOptions',
      'Receiver',
      'RunningTest',
      'TerminalOptions',
      'TestPrinter',
      'Till',
      'TillOptions',
      'UserWorld',
      'UserWorldOptions',
      'startWorld',
      'userWorldOf',
    ],
  },
  './hunt': {
    file: 'testing/hunt/hunt.ts',
    names: [
      'Beginning',
      'CommandHuntOptions',
      'CommandHuntResult',
      'Disk',
      'ExampleFault',
      'ExamplePlan',
      'Found',
      'HuntFacts',
      'HuntOptions',
      'HuntResult',
      'HuntScene',
      'HuntWorldOptions',
      'HuntCounts',
      'HuntEnding',
      'PlansWithError',
      'TriedPlace',
      'VerdictName',
      'HuntedEvent',
      'HuntedFault',
      'HuntedPayment',
      'HuntedPayout',
      'HuntedTransfer',
      'IntegratorFault',
      'OrderMoney',
      'ShopOrder',
      'StoryStep',
      'Verdict',
      'hunt',
      'huntCommand',
    ],
  },
  './vitest': { file: 'testing/reporter/reporter.ts', names: ['default'] },
};

test('package.json: exports the entries of testing/, and no other source', () => {
  const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const expected = Object.entries(PUBLISHED).map(([name, { file }]) => [
    name,
    `./dist/${file.replace(/\.ts$/, '.js')}`,
  ]);
  expect(exports).toEqual({ ...Object.fromEntries(expected), './package.json': './package.json' });
});

test.each(Object.entries(PUBLISHED))(
  'tapbench: %s exports the names that its users import',
  (_, { file, names }) => {
    const source = readSources(['testing']).find(({ path }) => path === file)!;
    expect(source.exports.toSorted()).toEqual(names.toSorted());
  },
);
