import { Icon } from '../parts/icons.tsx';

interface ChartControlsProps {
  zoom: (by: number) => void;
  /** Whether the view follows the active state. */
  follows: boolean;
  fit: () => void;
  /** Absent where there is no choice. */
  allStates: { shown: boolean; toggle: () => void } | undefined;
  note: string | undefined;
}

/** The buttons below a chart: which states it shows, and how much of it. */
export function ChartControls({ zoom, follows, fit, allStates, note }: ChartControlsProps) {
  const fitLabel = follows ? 'Fit whole chart' : 'Follow active state';
  return (
    <div class="chart-controls">
      {allStates && (
        <button class="quiet" aria-pressed={allStates.shown} onClick={allStates.toggle}>
          Show all states
        </button>
      )}
      {note && <p class="hint-line">{note}</p>}
      <div class="zoom" role="group" aria-label="Zoom">
        <button class="quiet square" aria-label="Zoom in" title="Zoom in" onClick={() => zoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button class="quiet square" aria-label="Zoom out" title="Zoom out" onClick={() => zoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button
          class="quiet square"
          aria-label={fitLabel}
          title={fitLabel}
          aria-pressed={!follows}
          onClick={fit}
        >
          <Icon name="fit" />
        </button>
      </div>
    </div>
  );
}
