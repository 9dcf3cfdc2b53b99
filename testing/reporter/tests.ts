import type { TestCase } from 'vitest/node';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';
import { showErrors } from './errors.ts';
import type { ReportTest } from './report-data.ts';

/** Returns a test as the report shows it. Its name is masked: titles of `test.each` may contain test data. */
export function showTest(test: TestCase, root: string): ReportTest {
  const { state, errors = [] } = test.result();
  return {
    id: test.id,
    name: maskSecretsInText(test.fullName),
    state: state === 'pending' ? 'running' : state,
    durationMs: Math.round(test.diagnostic()?.duration ?? 0),
    errors: showErrors(errors, root),
    console: [],
    steps: 0,
    traces: [],
  };
}

/** Returns the test that stands for entries outside tests, such as those of `beforeAll`. */
export function testOfFile(id: string): ReportTest {
  return { id, name: '', state: 'passed', durationMs: 0, errors: [], console: [], steps: 0, traces: [] };
}
