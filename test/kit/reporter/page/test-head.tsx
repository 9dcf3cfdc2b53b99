import type { ReportFile, ReportTest, WorldTimeline } from '../report-data.ts';
import { OUTSIDE_TESTS, STATE_LABELS } from './test-list.tsx';

interface TestHeadProps {
  file: ReportFile;
  test: ReportTest;
  timelines: readonly WorldTimeline[] | undefined;
  /** Index of the world shown. */
  index: number;
  choose: (world: number) => void;
}

export function TestHead({ file, test, timelines = [], index, choose }: TestHeadProps) {
  const path = test.name.split(' > ');
  const retried = timelines.some(({ attempt }) => attempt > 0);
  return (
    <header class="test-head">
      <p class="test-place mono clip">
        {[file.project, file.path, ...path.slice(0, -1)].filter(Boolean).join(' › ')}
      </p>
      <h1>{path.at(-1) || OUTSIDE_TESTS}</h1>
      <p class="test-facts">
        <span class={`pill ${TONES[test.state]}`}>{STATE_LABELS[test.state]}</span>
        {test.state !== 'running' && <span>{test.durationMs} ms</span>}
        <span>
          {test.steps} {test.steps === 1 ? 'step' : 'steps'}
        </span>
      </p>
      {test.errors.map((error) => (
        <pre class="test-error" key={error}>
          {error}
        </pre>
      ))}
      {timelines.length > 1 && (
        <div class="segments worlds" role="group" aria-label="World">
          {timelines.map(({ attempt }, world) => (
            <button key={world} aria-pressed={world === index} onClick={() => choose(world)}>
              World {world + 1}
              {retried && ` · attempt ${attempt + 1}`}
            </button>
          ))}
        </div>
      )}
    </header>
  );
}

const TONES = { passed: 'good', failed: 'bad', skipped: '', running: 'live' } as const;
