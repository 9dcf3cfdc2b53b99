import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TAGS } from './test/architecture/specification/tags.ts';

const IN_BROWSER = ['test/system/browser/**/*.test.ts'];

/** Files that take a minute or more. One that starts last keeps one core busy while the other has nothing to do. */
const LONGEST = [
  'stores/engines',
  'install/install',
  'commands/example-shop-hunt',
  'install/image',
  'install/new',
  'browser/vitest-example',
  'browser/accessibility',
  'stores/guards',
  'stores/kill-server',
].map((name) => `/test/system/${name}.test.ts`);

/** Starts the longest files first. In a new clone vitest knows only how large they are. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    return (await super.sort(files)).toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

// Longest that `expect.poll` waits; only a failing test waits that long. The second that it waits by default is too short
// for a machine that does other work as well.
const PATIENT = { poll: { timeout: 20_000 } };

/** Tests of processes and pages wait for those, for disks and for deadlines for half of the time. */
const BESIDE_EACH_OTHER = { maxWorkers: availableParallelism() * 2, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    tags: TAGS,
    sequence: { sequencer: LongestFirst },
    // vitest leaves one core for itself, which on two cores halves the speed.
    maxWorkers: '100%',
    // Keeps compiled sources in node_modules by a hash of their text, so that a run compiles only what has changed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/system/**'],
          setupFiles: ['test/search-worlds.ts'],
          // Tests share no state, so their files may share what they load: that is two thirds of the time.
          isolate: false,
          // The first test of a file pays for loading what it tests, and machines are noisy.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          exclude: IN_BROWSER,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: PATIENT,
          ...BESIDE_EACH_OTHER,
        },
      },
      {
        test: {
          name: 'browser',
          include: IN_BROWSER,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: PATIENT,
          ...BESIDE_EACH_OTHER,
        },
      },
    ],
  },
});
