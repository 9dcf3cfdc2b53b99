import type { TestCase } from 'vitest/node';
import { maskSecretsInText } from '../../../server/platform/mask-secrets.ts';
import type { ReportTest } from './report-data.ts';

const ERRORS_MAX = 3;
const ERROR_CHARACTERS_MAX = 600;

/** Returns a test as the report shows it. Its name is masked: titles of `test.each` may contain test data. */
export function showTest(test: TestCase): ReportTest {
  const { state, errors = [] } = test.result();
  return {
    id: test.id,
    name: maskSecretsInText(test.fullName),
    state: state === 'pending' ? 'running' : state,
    durationMs: Math.round(test.diagnostic()?.duration ?? 0),
    errors: showErrors(errors),
    steps: 0,
  };
}

/** Returns error messages, masked: they may quote compared values. */
export function showErrors(errors: readonly { message: string }[]): string[] {
  return errors.slice(0, ERRORS_MAX).map(({ message }) => firstOf(maskSecretsInText(message)));
}

/** Returns the test that stands for entries outside tests, such as those of `beforeAll`. */
export function testOfFile(id: string): ReportTest {
  return { id, name: '', state: 'passed', durationMs: 0, errors: [], steps: 0 };
}

function firstOf(message: string): string {
  return message.length > ERROR_CHARACTERS_MAX ? `${message.slice(0, ERROR_CHARACTERS_MAX)}…` : message;
}
