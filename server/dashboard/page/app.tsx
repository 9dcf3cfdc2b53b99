import { Announcements } from './parts/announcements.tsx';
import { KeyPrompt } from './parts/key-prompt.tsx';
import { ErrorToast } from './parts/error-toast.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { HomeView } from './home/home-view.tsx';
import { UnknownView } from './parts/unknown-view.tsx';
import { FaultsView } from './faults/faults-view.tsx';
import { FleetView } from './fleet/fleet-view.tsx';
import { keyPrompt } from './link/session.ts';
import { ObjectsView } from './objects/objects-view.tsx';
import { RequestsView } from './requests/requests-view.tsx';
import { route } from './routing.ts';
import { ActionsView } from './terminal/actions-view.tsx';
import { TerminalView } from './terminal/terminal-view.tsx';
import { WebhooksView } from './webhooks/webhooks-view.tsx';

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
    case 'unknown':
      return <UnknownView path={here.path} />;
  }
}

/** Moves the focus to the content. The address selects the view, so the link must not change it. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('view')?.focus();
}
