import { useState } from 'preact/hooks';
import type { ReportError, ReportTest, TestSource } from '../report-data.ts';
import { failedLines } from './source-lines.ts';

interface TestFailureProps {
  test: ReportTest;
  /** The lines of the test that are shown beside it, if any. */
  lines: TestSource | undefined;
}

/** Why a test failed: its errors, with what was compared, where it was thrown, and what the test wrote to the console. */
export function TestFailure({ test: { errors, console: written }, lines }: TestFailureProps) {
  const [part, choose] = useState<'errors' | 'console'>('errors');
  if (errors.length === 0 && written.length === 0) return null;
  return (
    <section class="failure" aria-label="Failure">
      {written.length > 0 && (
        <div class="segments" role="group" aria-label="Show of the failure">
          <button aria-pressed={part === 'errors'} onClick={() => choose('errors')}>
            Error
          </button>
          <button aria-pressed={part === 'console'} onClick={() => choose('console')}>
            Console ({written.length})
          </button>
        </div>
      )}
      {part === 'errors' ? (
        errors.map((error) => <ErrorParts error={error} lines={lines} key={error.message} />)
      ) : (
        <pre class="console-texts" tabIndex={0}>
          {written.map(({ stream, text }, index) => (
            <span class={stream} key={index}>
              {text}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

function ErrorParts({ error, lines }: { error: ReportError; lines: TestSource | undefined }) {
  const { message, diff, stack, source } = error;
  const [first] = stack;
  // The lines of the test mark it.
  const isMarked = lines !== undefined && failedLines(lines, [error]).size > 0;
  return (
    <div class="error-parts">
      <div>
        <pre class="test-error">{message}</pre>
        {diff !== null && (
          <pre class="diff" tabIndex={0} aria-label="Expected and received">
            {diff.split('\n').map((line, index) => (
              <span class={toneOf(line)} key={index}>
                {line || ' '}
              </span>
            ))}
          </pre>
        )}
      </div>
      {first && (
        <div>
          {source && !isMarked && (
            <pre class="source" tabIndex={0} aria-label={`Source of ${first.file}`}>
              {source.lines.map((line, index) => (
                <span class={source.firstLine + index === first.line ? 'failed-line' : ''} key={index}>
                  {`${String(source.firstLine + index).padStart(4)}  ${line}`}
                </span>
              ))}
            </pre>
          )}
          <ol class="stack mono">
            {stack.map(({ method, file, line, column }, index) => (
              <li key={index}>
                {method !== '' && `${method} `}
                {file}:{line}:{column}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

function toneOf(line: string): string {
  if (/^(-|Expected:)/.test(line)) return 'expected';
  return /^(\+|Received:)/.test(line) ? 'received' : '';
}
