import { useEffect, useState } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { FleetSidebar } from '../fleet/fleet-sidebar.tsx';
import { MachinePanes, type Pane } from '../timeline/machine-panes.tsx';
import { PaneSwitch } from './pane-switch.tsx';
import { PastActionView } from './past-action-view.tsx';
import { terminalAt } from './terminal-at.ts';
import { TerminalPanel } from './terminal-panel.tsx';

/** A terminal with its latest action, or with an earlier one. */
export function TerminalView({ id, actionId }: { id: string; actionId?: string | undefined }) {
  const { state } = useDashboard();
  // Reading the list of terminals makes this component render again when it changes.
  void state.fleet.ids.value;
  const terminal = state.fleet.get(id)?.value;
  useEffect(() => {
    document.title = `${terminal?.name ?? 'Terminal'} · Tapbench`;
  }, [terminal?.name]);

  if (!terminal) {
    return (
      <>
        <h1 class="unseen">Terminal</h1>
        <p class="quiet-note">
          {state.loaded.value ? 'This terminal no longer exists.' : 'Loading terminal…'}{' '}
          <a href="#/">Back to fleet</a>
        </p>
      </>
    );
  }
  if (actionId !== undefined) return <PastActionView terminal={terminal} actionId={actionId} />;
  return <PresentView terminal={terminal} />;
}

/** The device, the chart of its machine and the timeline, side by side where there is room. */
function PresentView({ terminal }: { terminal: FleetTerminal }) {
  const { state } = useDashboard();
  const { id, action } = terminal;
  useWatch({ kind: 'terminal', id });
  const [pane, setPane] = useState<'device' | Pane>('device');
  // Null is the present; the key makes the panes forget the moment that they show.
  const [shown, setShown] = useState<number | null>(null);
  const [visit, setVisit] = useState(0);
  const entries = state.watched.timeline.value?.entries ?? [];
  const past = action && shown !== null ? terminalAt(terminal, action, entries, shown) : undefined;
  return (
    <div class="terminal-view" data-pane={pane}>
      <FleetSidebar current={id} />
      <PaneSwitch title={terminal.name} pane={pane} choose={setPane} />
      <TerminalPanel terminal={terminal} past={past} goLive={() => setVisit(visit + 1)} />
      <MachinePanes
        key={visit}
        onShow={setShown}
        actionId={action?.id ?? null}
        now={{ state: action?.state ?? null, deadlineMs: action?.deadlineMs ?? null }}
        over={action !== null && action.status !== 'InProgress'}
      />
    </div>
  );
}
