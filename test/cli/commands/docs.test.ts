import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { createCliFixture } from '../cli-fixture.ts';

// All of the code is read for them.
const DOCUMENTS_MS = 120_000;

test(
  'docs: the documents in docs/ are up to date (npm run docs)',
  async () => {
    const on = createCliFixture();
    const code = await on.run('docs', '--check', '--out', join(import.meta.dirname, '../../../docs'));
    expect({ code, err: on.err }).toEqual({ code: 0, err: '' });
  },
  DOCUMENTS_MS,
);

test(
  'docs: --check names a document that is out of date',
  async () => {
    const out = mkdtempSync(join(tmpdir(), 'tapbench-docs-'));
    onTestFinished(() => rmSync(out, { recursive: true }));
    const on = createCliFixture();
    expect(await on.run('docs', '--out', out)).toBe(0);
    writeFileSync(join(out, 'openapi.json'), '{}');
    expect(await on.run('docs', '--check', '--out', out)).toBe(1);
    expect(on.err).toContain('openapi.json');
    expect(on.err).not.toContain('asyncapi.json');
  },
  DOCUMENTS_MS,
);
