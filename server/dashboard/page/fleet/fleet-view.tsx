import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { Icon } from '../parts/icons.tsx';
import { HomeView } from '../home/home-view.tsx';
import { useGrowingCount, useArrowKeys } from './tile-grid.ts';
import { hrefOf } from '../route.ts';
import { clearFilter, filteredTerminals, FleetSearch, group } from './fleet-search.tsx';
import { Tile } from './tile.tsx';
import type { Group } from './fleet-list.ts';

const GROUPS: { id: Group; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'In progress' },
  { id: 'failed', label: 'Failed' },
  { id: 'offline', label: 'Offline' },
];

/** The number of terminals in each status; selecting one filters by it. */
function FleetGroups() {
  const { state } = useDashboard();
  const counts = state.fleet.counts.value;
  return (
    <div class="segments" role="group" aria-label="Show">
      {GROUPS.map(({ id, label }) => (
        <button key={id} aria-pressed={group.value === id} onClick={() => (group.value = id)}>
          {label} <b>{counts[id]}</b>
        </button>
      ))}
    </div>
  );
}

/** All terminals; the first screen of a sandbox while there is one terminal at most. */
export function FleetView() {
  const { state } = useDashboard();
  const single = state.mode.value === 'live' ? 0 : 1;
  const isFleet = state.fleet.ids.value.length > single;
  if (!state.loaded.value) return <p class="quiet-note">Loading terminals…</p>;
  return isFleet ? <Fleet /> : <HomeView />;
}

/** The size of the tiles; `auto` is compact from `COMPACT_FROM` terminals on. */
const density = signal<'auto' | 'tiles' | 'compact'>('auto');
const COMPACT_FROM = 60;

function isCompact(count: number): boolean {
  return density.value === 'auto' ? count >= COMPACT_FROM : density.value === 'compact';
}

/** All terminals, as tiles. */
function Fleet() {
  const { state } = useDashboard();
  useWatch(null);
  const shown = useMemo(() => filteredTerminals(state), [state]);
  const grid = useRef<HTMLDivElement>(null);
  const onKeyDown = useArrowKeys(grid);
  const ids = shown.value;
  const compact = isCompact(ids.length);
  const drawn = useGrowingCount(ids.length);
  useEffect(() => {
    document.title = 'Fleet · Tapbench';
  }, []);

  return (
    <section class="fleet" aria-labelledby="fleet-title">
      <div class="view-head">
        <h1 id="fleet-title">Fleet</h1>
        <FleetGroups />
        <a class="get-started" href={hrefOf({ view: 'start' })}>
          Get started
        </a>
        <div class="spacer" />
        <FleetSearch />
        <button
          class="quiet square"
          aria-label={compact ? 'Show larger tiles' : 'Show a compact list'}
          title={compact ? 'Larger tiles' : 'Compact'}
          onClick={() => (density.value = compact ? 'tiles' : 'compact')}
        >
          <Icon name={compact ? 'tiles' : 'rows'} />
        </button>
      </div>
      {ids.length === 0 ? (
        <p class="quiet-note">
          No terminals match this filter.{' '}
          <button class="text-button" onClick={clearFilter}>
            Clear filter
          </button>
        </p>
      ) : (
        <div
          class={compact ? 'tiles compact' : 'tiles'}
          ref={grid}
          onKeyDown={onKeyDown}
          role="group"
          aria-label="Terminals"
        >
          {ids.slice(0, drawn).map((id, index) => (
            <Tile key={id} id={id} first={index === 0} />
          ))}
        </div>
      )}
    </section>
  );
}
