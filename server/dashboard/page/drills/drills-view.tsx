import { useEffect, useRef } from 'preact/hooks';
import type { DrillList } from '../../drills/drill-view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { sandboxPrefix } from '../link/sandbox-path.ts';
import { hrefOf } from '../route.ts';
import { DrillDetailPane } from './drill-detail.tsx';
import { GROUPS, shownOf } from './outcome.ts';
import { useDrillList } from './use-drills.ts';

type ListItem = DrillList['drills'][number];

/** The drills, and one of them with its two shops. */
export function DrillsView({ name }: { name: string | undefined }) {
  const { state } = useDashboard();
  useWatch(null);
  const { read, problem, reload } = useDrillList();
  const title = read?.drills.find((drill) => drill.name === name)?.title;
  useEffect(() => {
    document.title = `${title ?? 'Drills'} · Tapbench`;
  }, [title]);
  if (state.mode.value === 'live')
    return <NoDrills words="Drills are played in sandboxes, which live keys have none of." />;
  if (!read && problem !== undefined) return <NoDrills words={problem} />;
  const Title = name === undefined ? 'h1' : 'h2';
  return (
    <section class={`list-page drills-page${name ? ' with-detail' : ''}`} aria-labelledby="drills-title">
      <div class="list-side">
        <div class="view-head">
          <Title id="drills-title">Drills</Title>
        </div>
        {read &&
          Object.entries(GROUPS).map(([group, label]) => (
            <DrillGroupList
              key={group}
              label={label}
              drills={read.drills.filter((drill) => drill.group === group)}
              playing={read.playing}
              openName={name}
            />
          ))}
      </div>
      {name === undefined ? (
        <Introduction />
      ) : (
        <DrillDetailPane name={name} playing={read?.playing ?? null} onChanged={reload} key={name} />
      )}
    </section>
  );
}

interface DrillGroupListProps {
  label: string;
  drills: readonly ListItem[];
  playing: string | null;
  openName: string | undefined;
}

function DrillGroupList({ label, drills, playing, openName }: DrillGroupListProps) {
  return (
    <section class="drill-group" aria-label={label}>
      <h2>{label}</h2>
      <ul class="item-list drill-list">
        {drills.map((drill) => (
          <DrillRow
            key={drill.name}
            drill={drill}
            isOpen={drill.name === openName}
            isPlaying={drill.name === playing}
          />
        ))}
      </ul>
    </section>
  );
}

function DrillRow({ drill, isOpen, isPlaying }: { drill: ListItem; isOpen: boolean; isPlaying: boolean }) {
  const { name, title, wrong, unavailable, outcomes } = drill;
  const row = useRef<HTMLLIElement>(null);
  // An address may name one that is far down.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const shown = isPlaying ? { tone: 'live', label: 'playing' } : outcomes && shownOf(outcomes);
  return (
    <li ref={row}>
      <a href={hrefOf({ view: 'drills', id: name })} aria-current={isOpen ? 'true' : undefined}>
        <b>{title}</b>
        {shown && <span class={`pill ${shown.tone}`}>{shown.label}</span>}
        {!shown && unavailable !== null && <span class="pill">not here</span>}
        <span class="drill-wrong">Money is lost by a shop that {wrong}.</span>
      </a>
    </li>
  );
}

function Introduction() {
  return (
    <div class="list-hint drills-introduction">
      <h2>Choose how something fails</h2>
      <p>
        A drill plays one failure with two shops: one that loses money by it, and one that does not. Each
        sells in a sandbox of its own, which is deleted afterwards. Nothing in this sandbox is touched.
      </p>
      <p>
        Select a drill to play it and to watch both shops side by side. What came of it can be saved as one
        HTML page, to send to somebody who has no Tapbench.
      </p>
      <p>
        <a href={`${sandboxPrefix(location.pathname)}/guides/docs/drills.md`}>How to drill your own shop</a>
      </p>
    </div>
  );
}

/** Says why there are no drills here, and where they are. */
function NoDrills({ words }: { words: string }) {
  const isOther = sandboxPrefix(location.pathname) !== '';
  return (
    <section class="empty" aria-labelledby="drills-title">
      <h1 id="drills-title">No drills here</h1>
      <p>
        {isOther
          ? 'Drills have sandboxes of their own: the dashboard of the sandbox default plays them.'
          : words}
      </p>
      {isOther && (
        <p>
          <a href={`/${location.hash}`}>Open them there</a>
        </p>
      )}
    </section>
  );
}
