import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../kit/child-command.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The command that starts Tapbench, as `TAPBENCH_COMMAND` names it. */
export const TAPBENCH_COMMAND = `${process.execPath} ${MAIN}`;

/** Copies `clients/` to a temporary folder, so that builds and caches do not touch the sources. Returns its path. */
export function copyOfClients(fixture: SystemFixture): string {
  const folder = join(fixture.folder(), 'clients');
  cpSync(join(ROOT, 'clients'), folder, { recursive: true });
  return folder;
}

/** Counts of a test run. */
interface SuiteCounts {
  tests: number;
  failures: number;
  skipped: number;
}

/** Returns the counts of a report in JUnit's format, of its outermost suites. */
export function countsOf(junit: string): SuiteCounts {
  const suite = /<testsuite [^>]*>/.exec(junit)?.[0] ?? '';
  const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  return {
    tests: count('tests'),
    failures: count('failures') + count('errors'),
    skipped: count('skipped'),
  };
}
