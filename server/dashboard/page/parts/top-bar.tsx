import { useEffect, useRef } from 'preact/hooks';
import { ClockMenu } from '../clock/clock-menu.tsx';
import { useDashboard } from '../dashboard.ts';
import { keyPrompt } from '../link/session.ts';
import { ObjectSearch } from '../objects/object-search.tsx';
import { RecordingMenu } from '../recordings/recording-menu.tsx';
import { SandboxMenu } from '../sandboxes/sandbox-menu.tsx';
import { hrefOf, type Route } from '../route.ts';
import { route } from '../routing.ts';
import { Brand } from './icons.tsx';
import { ThemeButton } from '../theme.tsx';

/** The tabs after the first need operations of the sandbox, which do not exist with live keys. */
const TABS: { label: string; to: Route; views: Route['view'][] }[] = [
  { label: 'Fleet', to: { view: 'fleet' }, views: ['fleet', 'start', 'terminal'] },
  { label: 'Requests', to: { view: 'requests' }, views: ['requests'] },
  { label: 'Webhooks', to: { view: 'webhooks' }, views: ['webhooks'] },
  { label: 'Objects', to: { view: 'objects' }, views: ['objects'] },
  { label: 'Faults', to: { view: 'faults' }, views: ['faults'] },
  { label: 'Certificates', to: { view: 'certificates' }, views: ['certificates'] },
  { label: 'Drills', to: { view: 'drills' }, views: ['drills'] },
];

export function TopBar() {
  const { state } = useDashboard();
  const { view } = route.value;
  const nav = useRef<HTMLElement>(null);
  // Where the views do not fit beside each other.
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [view]);
  const isOpenSandbox = state.mode.value === 'sandbox' && !keyPrompt.value;
  return (
    <header class="top-bar">
      <Brand href="#/" label="Tapbench home" />
      <nav aria-label="Views" ref={nav}>
        {TABS.slice(0, state.mode.value === 'live' ? 1 : undefined).map(({ label, to, views }) => (
          <a key={label} href={hrefOf(to)} aria-current={views.includes(view) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="spacer" />
      {isOpenSandbox && <ObjectSearch />}
      {state.mode.value === 'live' && <span class="pill bad">live keys</span>}
      {isOpenSandbox && <SandboxMenu />}
      {isOpenSandbox && <RecordingMenu />}
      <ClockMenu />
      <ConnectionStatus />
      <ThemeButton />
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
