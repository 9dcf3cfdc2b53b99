import { render } from 'preact';
import { App } from './app.tsx';
import { adoptChartStyle } from './chart/adopt-style.ts';
import { loadMachines } from './chart/machine-layouts.ts';
import { DashboardProvider, openDashboard } from './dashboard.ts';
import { followLocation } from './routing.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/sandboxes.css';
import './styles/home.css';
import './styles/fleet.css';
import './styles/terminal.css';
import './styles/device.css';
import './styles/paper.css';
import './styles/chart.css';
import './styles/timeline.css';
import './styles/tables.css';
import './styles/requests.css';
import './styles/history.css';
import './styles/webhooks.css';
import { applyStoredTheme } from './theme.ts';
import { startTicking } from './time.ts';

adoptChartStyle();
applyStoredTheme();
followLocation();
startTicking();
const dashboard = openDashboard();
dashboard.link.subscribe(({ kind }) => {
  if (kind === 'online') void loadMachines(dashboard.api);
});
render(
  <DashboardProvider value={dashboard}>
    <App />
  </DashboardProvider>,
  document.getElementById('page')!,
);
