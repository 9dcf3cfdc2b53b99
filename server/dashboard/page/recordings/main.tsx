import { render } from 'preact';
import { adoptChartStyle } from '../chart/shown-chart.ts';
import { createApi } from '../link/api.ts';
import { createSession, keyPrompt } from '../link/session.ts';
import { saveFile } from '../parts/save-file.ts';
import { applyStoredTheme } from '../theme.tsx';
import { readBlock } from '../trace/static-dashboard.ts';
import type { TraceContent } from '../trace/trace-content.ts';
import { TracePage } from '../trace/trace-page.tsx';

adoptChartStyle();
applyStoredTheme();
// Another recording in the address of the same page.
addEventListener('hashchange', () => location.reload());
const api = createApi(createSession());
const id = location.hash.slice(1);
const answer = await api.download(`/dashboard/recordings/${encodeURIComponent(id)}`);
const page = document.getElementById('page')!;
if (answer.ok) {
  const file = answer.body;
  // It is parsed and not run: this page shows its data.
  const parsed = new DOMParser().parseFromString(await file.content.text(), 'text/html');
  const content = await readBlock<TraceContent>('trace', parsed);
  document.title = `${content.title === '' ? 'Recording' : content.title} · Tapbench`;
  render(
    <TracePage
      content={content}
      buttons={
        <button onClick={() => saveFile(file)} title="One HTML file, which needs no server">
          Download page
        </button>
      }
    />,
    page,
  );
} else {
  const problem = keyPrompt.peek()
    ? 'This window has no key of the server: open the dashboard first.'
    : answer.problem;
  render(
    <main class="empty">
      <h1>No recording to show</h1>
      <p role="alert">{problem}</p>
      <p>
        <a href="./">Open the dashboard</a>
      </p>
    </main>,
    page,
  );
}
