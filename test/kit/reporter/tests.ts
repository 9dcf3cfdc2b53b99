import type { TestCase } from 'vitest/node';
import { maskedText } from '../../../server/platform/mask.ts';
import type { ReportTest } from './report-data.ts';

const ERRORS_MAX = 3;
const ERROR_CHARACTERS_MAX = 600;

/** A test as the report shows it. Its name may be made of what it tries, and is masked as everything is. */
export function showTest(test: TestCase): ReportTest {
  const { state, errors = [] } = test.result();
  return {
    id: test.id,
    name: maskedText(test.fullName),
    state: state === 'pending' ? 'running' : state,
    durationMs: Math.round(test.diagnostic()?.duration ?? 0),
    errors: showErrors(errors),
    steps: 0,
  };
}

/** What they say may quote what a test compared, and is masked as everything is. */
export function showErrors(errors: readonly { message: string }[]): string[] {
  return errors.slice(0, ERRORS_MAX).map(({ message }) => firstOf(maskedText(message)));
}

/** What happens in a world while no test runs, as in `beforeAll`. */
export function testOfFile(id: string): ReportTest {
  return { id, name: '', state: 'passed', durationMs: 0, errors: [], steps: 0 };
}

function firstOf(message: string): string {
  return message.length > ERROR_CHARACTERS_MAX ? `${message.slice(0, ERROR_CHARACTERS_MAX)}…` : message;
}
