import { defineConfig } from 'vitest/config';

// Read in the folder of an installed package.
export default defineConfig({
  test: {
    include: ['hunts/*-tests.ts'],
    reporters: ['default', ['tapbench/vitest', { file: 'hunt-report.html', traces: '' }]],
  },
});
