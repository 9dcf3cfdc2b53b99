import { Announcements } from './parts/announcements.tsx';
import { KeyPrompt } from './parts/key-prompt.tsx';
import { Problem } from './parts/problem.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { FleetView } from './fleet/fleet-view.tsx';
import { keyWanted } from './link/session.ts';
import { ObjectsView } from './objects/objects-view.tsx';
import { place } from './routing.ts';
import { TerminalView } from './terminal/terminal-view.tsx';
import { WebhooksView } from './webhooks/webhooks-view.tsx';

/** The whole page: the top bar, and below it one view. */
export function App() {
  return (
    <>
      <a class="skip" href="#view" onClick={focusContent}>
        Skip to the view
      </a>
      <TopBar />
      <main id="view" tabIndex={-1}>
        {keyWanted.value ? <KeyPrompt wanted={keyWanted.value} /> : <View />}
      </main>
      <Problem />
      <Announcements />
    </>
  );
}

function View() {
  const here = place.value;
  switch (here.view) {
    case 'fleet':
      return <FleetView />;
    case 'terminal':
      return <TerminalView id={here.id} key={here.id} />;
    case 'webhooks':
      return <WebhooksView />;
    case 'objects':
      return <ObjectsView id={here.id} key={here.id} />;
  }
}

/** Moves the focus to the content. The address selects the view, so the link must not change it. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('view')?.focus();
}
