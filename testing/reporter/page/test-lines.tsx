import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TimelineEntry } from '../../../server/dashboard/view.ts';
import type { ReportTest, TestSource } from '../report-data.ts';
import { failedLines } from './failed-lines.ts';
import { lineAt } from './line-at.ts';

interface TestLinesProps {
  source: TestSource;
  test: ReportTest;
  entry: TimelineEntry | undefined;
}

/** The lines of the test, with the one that ran at the moment that is shown, and those that failed. */
export function TestLines({ source, test, entry }: TestLinesProps) {
  const box = useRef<HTMLPreElement>(null);
  const current = lineAt(source.calls, entry?.realMs);
  const failed = failedLines(source, test.errors);
  useLayoutEffect(() => {
    const line = box.current?.querySelector<HTMLElement>('[aria-current]');
    if (line) box.current!.scrollTop = line.offsetTop - (box.current!.clientHeight - line.offsetHeight) / 2;
  }, [current]);
  return (
    <section class="test-lines" aria-label="Lines of the test">
      <p class="test-lines-place mono">
        {source.file}
        {current !== undefined && `:${current}`}
      </p>
      <pre class="source" tabIndex={0} aria-label={`Source of ${source.file}`} ref={box}>
        {source.lines.map((text, index) => {
          const line = source.firstLine + index;
          return (
            <span
              key={line}
              class={`${line === current ? 'current-line' : ''} ${failed.has(line) ? 'failed-line' : ''}`}
              aria-current={line === current ? 'true' : undefined}
            >
              {`${String(line).padStart(4)}  ${text}`}
            </span>
          );
        })}
      </pre>
    </section>
  );
}
