import { render } from 'preact';
import { App } from './app.tsx';
import { adoptChartStyle, applyStoredChartChoice } from './chart/shown-chart.ts';
import { loadMachines } from './chart/machine-layouts.ts';
import { DashboardProvider, openDashboard } from './dashboard.ts';
import { followLocation } from './routing.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/sandboxes.css';
import './styles/recordings.css';
import './styles/home.css';
import './styles/fleet.css';
import './styles/terminal.css';
import './styles/device.css';
import './styles/paper.css';
import './styles/counter.css';
import './styles/chart.css';
import './styles/timeline.css';
import './styles/list-page.css';
import './styles/objects.css';
import './styles/requests.css';
import './styles/history.css';
import './styles/webhooks.css';
import './styles/faults.css';
import './styles/certificates.css';
import './styles/drills.css';
import { applyStoredTheme } from './theme.tsx';
import { pageClock, startTicking } from './time.ts';
import { after } from '../../../protocol/clock.ts';

adoptChartStyle();
applyStoredTheme();
applyStoredChartChoice();
followLocation();
startTicking();
const dashboard = openDashboard();
dashboard.link.subscribe(({ kind }) => {
  if (kind === 'online') void loadMachines(dashboard.api);
});
// In a task of its own: the browser lays out the page in the one that runs this module.
after(pageClock, 0, () =>
  render(
    <DashboardProvider value={dashboard}>
      <App />
    </DashboardProvider>,
    document.getElementById('page')!,
  ),
);
