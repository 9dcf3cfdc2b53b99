import { render } from 'preact';
import '../../../server/dashboard/page/styles/tokens.css';
import '../../../server/dashboard/page/styles/base.css';
import '../../../server/dashboard/page/styles/shell.css';
import '../../../server/dashboard/page/styles/terminal.css';
import '../../../server/dashboard/page/styles/chart.css';
import '../../../server/dashboard/page/styles/timeline.css';
import '../../../server/dashboard/page/styles/device.css';
import '../../../server/dashboard/page/styles/paper.css';
import '../../../server/dashboard/page/styles/history.css';
import '../../../server/dashboard/page/styles/trace.css';
import './report.css';
import { adoptChartStyle } from '../../../server/dashboard/page/chart/shown-chart.ts';
import { applyStoredTheme } from '../../../server/dashboard/page/theme.tsx';
import { App } from './app.tsx';
import { followLocation } from './route.ts';
import { openLiveSource } from './live-source.ts';
import { signal, type Signal } from '@preact/signals';
import { readBlock } from '../../../server/dashboard/page/trace/static-dashboard.ts';
import type { ReportData, WorldTimeline } from '../report-data.ts';
import type { Source } from './source.ts';

adoptChartStyle();
applyStoredTheme();
followLocation();
const isLive = document.documentElement.dataset['live'] !== undefined;
void Promise.resolve(isLive ? openLiveSource() : openReport()).then((source) => {
  render(<App source={source} />, document.getElementById('page')!);
});

/** Opens the source of a report. The timelines of a test file are decompressed when one of its tests is shown. */
async function openReport(): Promise<Source> {
  const data = await readBlock<ReportData>('report-data');
  const { outcome, durationMs, leftOut, machines, files } = data;
  const packets = new Map<number, Promise<WorldTimeline[]>>();
  const packet = (index: number) => {
    const known = packets.get(index) ?? readBlock<WorldTimeline[]>(`packet-${index}`);
    packets.set(index, known);
    return known;
  };
  const timelines = new Map<string, Signal<readonly WorldTimeline[] | undefined>>();
  return {
    live: false,
    run: signal({ outcome, durationMs, leftOut, report: null }),
    machines: signal(machines),
    files: signal(files),
    newest: signal(null),
    timelinesOf(file, testId) {
      const known = timelines.get(testId);
      if (known) return known;
      const found = signal<readonly WorldTimeline[] | undefined>(file.packet === null ? [] : undefined);
      timelines.set(testId, found);
      if (file.packet !== null) {
        void packet(file.packet).then(
          (all) => (found.value = all.filter((timeline) => timeline.testId === testId)),
        );
      }
      return found;
    },
  };
}
