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
import { adoptChartStyle } from '../../../server/dashboard/page/chart/adopt-style.ts';
import { applyStoredTheme } from '../../../server/dashboard/page/theme.ts';
import { App } from './app.tsx';
import { followLocation } from './route.ts';
import { openReport } from './report-source.ts';
import { openLiveSource } from './live-source.ts';

adoptChartStyle();
applyStoredTheme();
followLocation();
const isLive = document.documentElement.dataset['live'] !== undefined;
void Promise.resolve(isLive ? openLiveSource() : openReport()).then((source) => {
  render(<App source={source} />, document.getElementById('page')!);
});
