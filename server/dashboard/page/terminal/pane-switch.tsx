import type { Pane } from '../timeline/machine-panes.tsx';

const PANES: { id: 'device' | Pane; label: string }[] = [
  { id: 'device', label: 'Device' },
  { id: 'chart', label: 'Chart' },
  { id: 'timeline', label: 'Timeline' },
];

interface PaneSwitchProps {
  /** Name of the page for screen readers, where its heading is in the pane of the device. */
  title?: string;
  pane: 'device' | Pane;
  choose: (pane: 'device' | Pane) => void;
}

/** Selects the pane to show where there is room for one only. */
export function PaneSwitch({ title, pane, choose }: PaneSwitchProps) {
  return (
    <div class="segments panes" role="group" aria-label="Show">
      {title && pane !== 'device' && <h1 class="unseen">{title}</h1>}
      {PANES.map(({ id, label }) => (
        <button key={id} aria-pressed={pane === id} onClick={() => choose(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}
