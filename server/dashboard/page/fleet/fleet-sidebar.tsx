import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { useGrowingCount, useArrowKeys } from './tile-grid.ts';
import { FleetSearch, filteredTerminals } from './fleet-search.tsx';
import { Tile } from './tile.tsx';

/** The list of terminals beside the selected one. */
export function FleetSidebar({ current }: { current: string }) {
  const { state } = useDashboard();
  const shown = useMemo(() => filteredTerminals(state), [state]);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useArrowKeys(list);
  const ids = shown.value;
  const tabStop = ids.includes(current) ? current : ids[0];

  const drawn = useGrowingCount(ids.length);
  const isDrawn = ids.indexOf(current) < drawn;

  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current, isDrawn]);

  return (
    <aside class="rail" aria-label="Fleet">
      <FleetSearch />
      <div class="rail-list" ref={list} onKeyDown={onKeyDown} role="group" aria-label="Terminals">
        {ids.slice(0, drawn).map((id) => (
          <Tile key={id} id={id} first={id === tabStop} current={id === current} />
        ))}
      </div>
    </aside>
  );
}
