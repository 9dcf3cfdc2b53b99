import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { FleetSearch } from './fleet-search.tsx';
import { useGridKeys } from './grid-keys.ts';
import { shownTerminals } from './selection.ts';
import { Tile } from './tile.tsx';

/** The list of terminals beside the one shown, to move from one to the next. */
export function FleetRail({ current }: { current: string }) {
  const { state } = useDashboard();
  const shown = useMemo(() => shownTerminals(state), [state]);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useGridKeys(list);
  const ids = shown.value;
  const entry = ids.includes(current) ? current : ids[0];

  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  return (
    <aside class="rail" aria-label="Fleet">
      <FleetSearch />
      <div class="rail-list" ref={list} onKeyDown={onKeyDown} role="group" aria-label="Terminals">
        {ids.map((id) => (
          <Tile key={id} id={id} first={id === entry} current={id === current} />
        ))}
      </div>
    </aside>
  );
}
