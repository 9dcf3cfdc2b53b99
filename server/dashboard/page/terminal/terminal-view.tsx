import { useEffect, useState } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { FleetSidebar } from '../fleet/fleet-sidebar.tsx';
import { MachinePanes, type Pane } from '../timeline/machine-panes.tsx';
import { TerminalPanel } from './terminal-panel.tsx';

const PANES: { id: 'device' | Pane; label: string }[] = [
  { id: 'device', label: 'Device' },
  { id: 'chart', label: 'Chart' },
  { id: 'timeline', label: 'Timeline' },
];

/** One terminal: the device, the chart of its machine and the timeline, side by side where there is room. */
export function TerminalView({ id }: { id: string }) {
  const { state } = useDashboard();
  useWatch({ kind: 'terminal', id });
  const [pane, setPane] = useState<'device' | Pane>('device');
  // Reading the list of terminals makes this component render again when it changes.
  void state.fleet.ids.value;
  const terminal = state.fleet.get(id)?.value;
  useEffect(() => {
    document.title = `${terminal?.name ?? 'Terminal'} · Tapbench`;
  }, [terminal?.name]);

  if (!terminal) {
    return (
      <p class="quiet-note">
        {state.loaded.value ? 'This terminal no longer exists.' : 'Loading terminal…'}{' '}
        <a href="#/">Back to fleet</a>
      </p>
    );
  }
  const { action } = terminal;
  return (
    <div class="terminal-view" data-pane={pane}>
      <FleetSidebar current={id} />
      <div class="segments panes" role="group" aria-label="Show">
        {PANES.map(({ id: one, label }) => (
          <button key={one} aria-pressed={pane === one} onClick={() => setPane(one)}>
            {label}
          </button>
        ))}
      </div>
      <TerminalPanel terminal={terminal} />
      <MachinePanes
        actionId={action?.id ?? null}
        now={{ state: action?.state ?? null, deadlineMs: action?.deadlineMs ?? null }}
        over={action !== null && action.status !== 'InProgress'}
      />
    </div>
  );
}
