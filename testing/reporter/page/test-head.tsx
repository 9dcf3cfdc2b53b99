import { CopyButton } from '../../../server/dashboard/page/parts/copy-button.tsx';
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
  const names = test.name.split(' > ');
  const retried = timelines.some(({ attempt }) => attempt > 0);
  return (
    <header class="test-head">
      <p class="test-place mono clip">
        {[file.project, file.path, ...names.slice(0, -1)].filter(Boolean).join(' › ')}
      </p>
      <h1>{names.at(-1) || OUTSIDE_TESTS}</h1>
      <p class="test-facts">
        <span class={`pill ${TONES[test.state]}`}>{STATE_LABELS[test.state]}</span>
        {test.state !== 'running' && <span>{test.durationMs} ms</span>}
        <span>
          {test.steps} {test.steps === 1 ? 'step' : 'steps'}
        </span>
      </p>
      {test.traces.map(({ path, href, problem }) => (
        <p class="test-trace" key={path}>
          Trace: <a href={href}>{path}</a>
          <CopyButton text={`npx tapbench trace ${path} --open`} what="command that opens the trace" />
          {problem !== null && <span class="bad-words">{problem}</span>}
        </p>
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
