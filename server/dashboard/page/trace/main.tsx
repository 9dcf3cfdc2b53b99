import { signal } from '@preact/signals';
import { render } from 'preact';
import { adoptChartStyle } from '../chart/shown-chart.ts';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/terminal.css';
import '../styles/device.css';
import '../styles/paper.css';
import '../styles/chart.css';
import '../styles/timeline.css';
import '../styles/history.css';
import '../styles/trace.css';
import { applyStoredTheme, ThemeButton } from '../theme.tsx';
import { readBlock } from './static-dashboard.ts';
import type { TraceContent } from './trace-content.ts';
import { TracePanes } from './trace-panes.tsx';
import { formatDate, formatTime } from '../format.ts';

adoptChartStyle();
applyStoredTheme();
void readBlock<TraceContent>('trace').then((content) => {
  render(
    <>
      <TraceBar {...content} />
      <main id="view" tabIndex={-1}>
        {content.entries.length > 0 ? (
          <TracePanes
            content={content}
            machines={signal(content.machines)}
            over
            beside={() => content.found && <FoundNote {...content.found} />}
          />
        ) : (
          <p class="quiet-note">Nothing happened while this was recorded.</p>
        )}
      </main>
    </>,
    document.getElementById('page')!,
  );
});

/** What a hunt found in it. */
function FoundNote({ verdict, story }: NonNullable<TraceContent['found']>) {
  return (
    <section class="trace-found" aria-label="What a hunt found" tabIndex={0}>
      <h2>
        <span class="pill bad">found</span> {verdict}
      </h2>
      <pre>{story.join('\n')}</pre>
    </section>
  );
}

/** What was recorded, when and of which sandbox. */
function TraceBar({ title, sandbox, clockMs, seed, writtenBy, isCut, notReplayable }: TraceContent) {
  return (
    <header class="top-bar trace-bar">
      <span class="brand">Tapbench</span>
      <h1 class="trace-title clip" title={title}>
        {title === '' ? 'Trace' : title}
      </h1>
      <div class="spacer" />
      {isCut && (
        <span class="pill warn" title="The recording ended because it was as large as it may be">
          incomplete
        </span>
      )}
      {notReplayable.length > 0 && (
        <span class="pill" title={notReplayable.join('; ')}>
          not replayable
        </span>
      )}
      <span
        class="trace-facts clip"
        title={`Written by Tapbench ${writtenBy}${seed === null ? '' : `, seed ${seed}`}`}
      >
        sandbox {sandbox}, {formatDate(clockMs)} {formatTime(clockMs)} UTC
      </span>
      <ThemeButton />
    </header>
  );
}
