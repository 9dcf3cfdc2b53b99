import { signal } from '@preact/signals';
import { render } from 'preact';
import { adoptChartStyle } from '../chart/adopt-style.ts';
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
import { applyStoredTheme } from '../theme.ts';
import { readBlock } from './read-block.ts';
import { TraceBar } from './trace-bar.tsx';
import type { TraceContent } from './trace-content.ts';
import { TracePanes } from './trace-panes.tsx';

adoptChartStyle();
applyStoredTheme();
void readBlock<TraceContent>('trace').then((content) => {
  render(
    <>
      <TraceBar {...content} />
      <main id="view" tabIndex={-1}>
        {content.entries.length > 0 ? (
          <TracePanes content={content} machines={signal(content.machines)} over />
        ) : (
          <p class="quiet-note">Nothing happened while this was recorded.</p>
        )}
      </main>
    </>,
    document.getElementById('page')!,
  );
});
