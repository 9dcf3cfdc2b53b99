import { render } from 'preact';
import { requestOf } from '../../../../protocol/api-client.ts';
import { adoptChartStyle } from '../chart/shown-chart.ts';
import { createApi } from '../link/api.ts';
import { createSession, keyPrompt } from '../link/session.ts';
import { saveFile } from '../parts/save-file.ts';
import { applyStoredTheme } from '../theme.tsx';
import { readBlock } from '../trace/static-dashboard.ts';
import type { TraceContent } from '../trace/trace-content.ts';
import { TracePage } from '../trace/trace-page.tsx';
import { base64Of, OpenTraceFile } from './open-trace-file.tsx';

adoptChartStyle();
applyStoredTheme();
// Another recording in the address of the same page.
addEventListener('hashchange', () => location.reload());
const api = createApi(createSession());
const page = document.getElementById('page')!;
const id = location.hash.slice(1);
const [, certificateId, caseId] = /^certificates\/([\w-]+)\/([\w.-]+)$/.exec(id) ?? [];
if (id === '') showChooser();
else if (certificateId !== undefined && caseId !== undefined) await showCase({ id: certificateId, caseId });
else {
  // Of a shop in a drill: `#drills/lost-reply/wrong`.
  const ofDrill = /^drills\/([\w-]+)\/(\w+)$/.exec(id);
  const path = ofDrill ? `drills/${ofDrill[1]}/traces/${ofDrill[2]}` : `recordings/${encodeURIComponent(id)}`;
  const answer = await api.download(`/dashboard/${path}`);
  if (answer.ok) await show(answer.body.name, await answer.body.content.text());
  else showChooser(answer.problem);
}

/** Shows the recording of a page. The page is parsed and not run. */
async function show(name: string, html: string): Promise<void> {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const content = await readBlock<TraceContent>('trace', parsed);
  document.title = `${content.title === '' ? 'Recording' : content.title} · Tapbench`;
  const save = () => saveFile({ name, content: new Blob([html], { type: 'text/html' }) });
  const buttons = (
    <button onClick={save} title="One HTML file, which needs no server">
      Download page
    </button>
  );
  render(<TracePage content={content} buttons={buttons} />, page);
}

/** Shows the trace of a case of a certificate. */
async function showCase(params: { id: string; caseId: string }): Promise<void> {
  const { path } = requestOf('GET /sandbox/certificates/{id}/cases/{caseId}/trace', { params });
  const answer = await api.download(path);
  if (!answer.ok) return showChooser(answer.problem);
  const { name, content } = answer.body;
  const refused = await openFile({ name, base64: await base64Of(content) });
  if (refused !== undefined) showChooser(refused);
}

function showChooser(problem?: string): void {
  const words = keyPrompt.peek()
    ? 'This window has no key of the server: open the dashboard first.'
    : problem;
  render(<OpenTraceFile problem={words} open={openFile} />, page);
}

/** Opens a trace file. Returns why it cannot be shown, in words. */
async function openFile({ name, base64 }: { name: string; base64: string }): Promise<string | undefined> {
  const answer = await api.post<{ page: string }>('/dashboard/traces', { body: { file: base64 } });
  if (!answer.ok) return answer.problem;
  await show(`${name.replace(/\.tapbench$/, '')}.html`, answer.body.page);
  return undefined;
}
