import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../kit/wait-for.ts';
import type { ExampleRows } from './example-row.ts';
import type { Stage } from './stage.ts';

const FILE = 'session.tapbench';

/** Starts a recording, whose id is the first, and takes a payment. */
async function record(stage: Stage): Promise<void> {
  expect((await stage.api('POST', '/sandbox/recordings', { title: 'one payment' })).id).toBe('rec_1');
  await stage.payAtTerminal();
}

/** Saves a trace of a payment in the folder. */
async function saveTrace(stage: Stage): Promise<void> {
  await record(stage);
  await stage.run(`tapbench recordings save rec_1 ${FILE}`);
}

const recordings = async ({ api }: Stage) => (await api('GET', '/sandbox/recordings')).items;

export const RECORDING_ROWS: ExampleRows = {
  'tapbench record session.tapbench': {
    async meanwhile(stage, { child, interrupt }) {
      await waitFor('the recording to begin', () => child.stderr.includes('Ctrl-C to stop'));
      await stage.api('POST', '/v1/customers', { email: 'ana@corner.example' });
      // Longer than a process runs that has nothing to wait for.
      await stage.run('tapbench terminals');
      expect(child.running).toBe(true);
      interrupt();
    },
    stdout: /^recorded in session\.tapbench\n$/,
    stderr: /^recording; Ctrl-C to stop\n$/,
    async after(stage) {
      expect((await stage.run(`tapbench trace ${FILE} --json`)).stdout).toContain('/v1/customers');
      expect(await recordings(stage)).toEqual([]);
    },
  },
  'tapbench record tests.tapbench -- npm test': {
    stdout: /the tests pass[\s\S]*\nrecorded in tests\.tapbench\n$/,
    after: ({ folder }) => expect(existsSync(join(folder, 'tests.tapbench'))).toBe(true),
  },
  'tapbench recordings': { prepare: record, stdout: /^ID .*\nrec_1 +Recording .*one payment\n$/ },
  'tapbench recordings save rec_1 session.tapbench': {
    prepare: record,
    stdout: /^rec_1 saved in session\.tapbench\n$/,
    after: ({ folder }) => expect(existsSync(join(folder, FILE))).toBe(true),
  },
  'tapbench recordings delete rec_1': {
    prepare: record,
    stdout: /^rec_1 deleted\n$/,
    after: async (stage) => expect(await recordings(stage)).toEqual([]),
  },
  'tapbench replay session.tapbench': { prepare: saveTrace, stdout: /^identical: \d+ replies/ },
  'tapbench trace session.tapbench': { prepare: saveTrace, stdout: /^one payment: sandbox [\s\S]*Approved/ },
  'tapbench trace session.tapbench --open': {
    prepare: saveTrace,
    stdout: /^\/\S+trace\.html\n$/,
    after: async ({ calls }, { stdout }) =>
      await expect.poll(calls).toEqual([`xdg-open ${pathToFileURL(stdout.trim()).href}`]),
  },
  'tapbench trace session.tapbench --to vitest': {
    prepare: saveTrace,
    stdout: /^session\.test\.ts\n$/,
    after: ({ read }) => expect(read('session.test.ts')).toContain("from 'vitest'"),
  },
};
