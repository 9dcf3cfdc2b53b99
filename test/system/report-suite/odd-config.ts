import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['odd/*-tests.ts'],
    reporters: ['default', ['tapbench/vitest', { file: 'odd-report.html' }]],
  },
});
