import { ClockMenu } from '../clock/clock-menu.tsx';
import { useDashboard } from '../dashboard.ts';
import { keyPrompt } from '../link/session.ts';
import { SandboxMenu } from '../sandboxes/sandbox-menu.tsx';
import { hrefOf, type Route } from '../route.ts';
import { route } from '../routing.ts';
import { nextTheme, theme } from '../theme.ts';
import { Icon } from './icons.tsx';

const TABS: { label: string; to: Route; views: Route['view'][] }[] = [
  { label: 'Fleet', to: { view: 'fleet' }, views: ['fleet', 'start', 'terminal'] },
  { label: 'Requests', to: { view: 'requests' }, views: ['requests'] },
  { label: 'Webhooks', to: { view: 'webhooks' }, views: ['webhooks'] },
  { label: 'Objects', to: { view: 'objects' }, views: ['objects'] },
];

const THEMES = { system: 'system', light: 'light', dark: 'dark' } as const;
const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

export function TopBar() {
  const { state } = useDashboard();
  const { view } = route.value;
  return (
    <header class="top-bar">
      <a class="brand" href="#/" aria-label="Tapbench home">
        <Mark />
        <span>Tapbench</span>
      </a>
      <nav aria-label="Views">
        {TABS.map(({ label, to, views }) => (
          <a key={label} href={hrefOf(to)} aria-current={views.includes(view) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="spacer" />
      {state.mode.value === 'live' && <span class="pill bad">live keys</span>}
      {state.mode.value === 'sandbox' && !keyPrompt.value && <SandboxMenu />}
      <ClockMenu />
      <ConnectionStatus />
      <button
        class="quiet square"
        aria-label={`Theme: ${THEMES[theme.value]}. Change theme`}
        title={`Theme: ${THEMES[theme.value]}`}
        onClick={nextTheme}
      >
        <Icon name={THEME_ICONS[theme.value]} />
      </button>
    </header>
  );
}

/** The status of the live connection: whether the page is up to date. */
function ConnectionStatus() {
  const { link, connection } = useDashboard();
  const { kind } = link.value;
  if (keyPrompt.value) return null;
  if (kind === 'online') {
    return (
      <span class="link" role="status" title="Connected: updates are live">
        <i class="led good" />
        <span class="link-words">Live</span>
      </span>
    );
  }
  return (
    <button class="link away" onClick={connection.retryNow}>
      <i class="led bad" />
      {kind === 'connecting' ? 'Connecting…' : 'Disconnected. Retry'}
    </button>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" class="mark">
      <rect x="3" y="1.5" width="14" height="17" rx="3" />
      <rect class="mark-screen" x="6" y="4.5" width="8" height="4" rx="1" />
      <path class="mark-keys" d="M7 12h.01M10 12h.01M13 12h.01M7 15h.01M10 15h.01M13 15h.01" />
    </svg>
  );
}
