import { defineConfig } from 'vitest/config';
import { TAGS } from './test/architecture/specification/tags.ts';

export default defineConfig({
  test: {
    tags: TAGS,
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
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
