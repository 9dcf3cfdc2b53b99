import type { Pane } from '../timeline/machine-panes.tsx';

const PANES: { id: 'device' | Pane; label: string }[] = [
  { id: 'device', label: 'Device' },
  { id: 'chart', label: 'Chart' },
  { id: 'timeline', label: 'Timeline' },
];

interface PaneSwitchProps {
  pane: 'device' | Pane;
  choose: (pane: 'device' | Pane) => void;
}

/** Selects the pane to show where there is room for one only. */
export function PaneSwitch({ pane, choose }: PaneSwitchProps) {
  return (
    <div class="segments panes" role="group" aria-label="Show">
      {PANES.map(({ id, label }) => (
        <button key={id} aria-pressed={pane === id} onClick={() => choose(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}
