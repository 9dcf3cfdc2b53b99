import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['odd/*-tests.ts'],
    // Worlds start slowly on a machine that does other work as well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['tapbench/vitest', { file: 'odd-report.html' }]],
  },
});
