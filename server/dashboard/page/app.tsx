import { useEffect } from 'preact/hooks';
import { KeyPrompt } from './parts/key-prompt.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { HomeView } from './home/home-view.tsx';
import { CertificatesView } from './certificates/certificates-view.tsx';
import { DrillsView } from './drills/drills-view.tsx';
import { FaultsView } from './faults/faults-view.tsx';
import { FleetView } from './fleet/fleet-view.tsx';
import { keyPrompt } from './link/session.ts';
import { ObjectsView } from './objects/objects-view.tsx';
import { RequestsView } from './requests/requests-view.tsx';
import { route } from './routing.ts';
import { ActionsView } from './terminal/actions-view.tsx';
import { TerminalView } from './terminal/terminal-view.tsx';
import { WebhooksView } from './webhooks/webhooks-view.tsx';
import { hrefOf } from './route.ts';
import { problem } from './link/api.ts';
import { Icon } from './parts/icons.tsx';
import { useDashboard } from './dashboard.ts';

/** The whole page: the top bar, and below it one view. */
export function App() {
  return (
    <>
      <a class="skip" href="#view" onClick={focusContent}>
        Skip to content
      </a>
      <TopBar />
      <main id="view" tabIndex={-1}>
        {keyPrompt.value ? <KeyPrompt prompt={keyPrompt.value} /> : <View />}
      </main>
      <ErrorToast />
      <Announcements />
    </>
  );
}

function View() {
  const here = route.value;
  switch (here.view) {
    case 'fleet':
      return <FleetView />;
    case 'start':
      return <HomeView />;
    case 'terminal':
      return <TerminalView id={here.id} actionId={here.actionId} key={`${here.id} ${here.actionId}`} />;
    case 'actions':
      return <ActionsView terminalId={here.id} key={here.id} />;
    case 'requests':
      return <RequestsView id={here.id} filters={here.filters ?? {}} />;
    case 'webhooks':
      return <WebhooksView id={here.id} filters={here.filters ?? {}} />;
    case 'objects':
      return <ObjectsView id={here.id} filters={here.filters ?? {}} />;
    case 'faults':
      return <FaultsView id={here.id} />;
    case 'certificates':
      return <CertificatesView id={here.id} />;
    case 'drills':
      return <DrillsView name={here.id} />;
    case 'unknown':
      return <UnknownView path={here.path} />;
  }
}

/** Moves the focus to the content. The address selects the view, so the link must not change it. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('view')?.focus();
}

/** Says that an address of the page leads nowhere. */
function UnknownView({ path }: { path: string }) {
  useEffect(() => {
    document.title = 'Unknown address · Tapbench';
  }, []);
  return (
    <section class="empty" aria-labelledby="unknown-title">
      <h1 id="unknown-title">There is nothing at this address</h1>
      <p>
        The dashboard has no page <code>#/{path}</code>. The link that led here may be from another version.
      </p>
      <p>
        <a href={hrefOf({ view: 'fleet' })}>Terminals</a> ·{' '}
        <a href={hrefOf({ view: 'requests' })}>Requests</a> ·{' '}
        <a href={hrefOf({ view: 'webhooks' })}>Webhooks</a> ·{' '}
        <a href={hrefOf({ view: 'objects' })}>Objects</a> · <a href={hrefOf({ view: 'faults' })}>Faults</a> ·{' '}
        <a href={hrefOf({ view: 'drills' })}>Drills</a>
      </p>
    </section>
  );
}

/** The error message of the last call, until it is dismissed or another call succeeds. */
function ErrorToast() {
  const text = problem.value;
  return (
    <div class="problem-place" role="alert">
      {text !== undefined && (
        <div class="problem">
          <span>{text}</span>
          <button class="quiet square" aria-label="Dismiss" onClick={() => (problem.value = undefined)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

/** A live region for screen readers: announces the actions of the selected terminal. */
function Announcements() {
  const { state } = useDashboard();
  return (
    <div class="unseen" role="status" aria-live="polite">
      {state.announcement}
    </div>
  );
}
