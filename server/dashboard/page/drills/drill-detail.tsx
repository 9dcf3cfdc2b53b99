import { useEffect, useState } from 'preact/hooks';
import type { DrillDetail, ListedDrill } from '../../drills/drill-view.ts';
import { useDashboard } from '../dashboard.ts';
import { FaultLines } from '../faults/plan.tsx';
import { problem as toast } from '../link/api.ts';
import { pathInSandbox, sandboxPrefix } from '../link/sandbox-path.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icons.tsx';
import { saveFile } from '../parts/save-file.ts';
import { hrefOf } from '../route.ts';
import { DrillColumns } from './drill-columns.tsx';
import { GROUPS } from './outcome.ts';
import { useDrill } from './use-drills.ts';

interface DrillDetailProps {
  name: string;
  /** Name of the drill that is being played, this one or another. */
  playing: string | null;
  /** Called when it begins and when it ends. */
  onChanged: () => void;
}

/** A drill: what happens, the button that plays it, both shops, and what can be sent of it. */
export function DrillDetailPane({ name, playing, onChanged }: DrillDetailProps) {
  const { read, problem, isStarting, play } = useDrill(name);
  const isPlaying = read?.play?.isPlaying ?? false;
  useEffect(onChanged, [isPlaying]);
  const other = playing !== null && playing !== name ? playing : null;
  return (
    <div class="item-detail">
      <a class="detail-back" href={hrefOf({ view: 'drills' })}>
        <Icon name="back" size={14} />
        All drills
      </a>
      {!read && <h1 class="unseen">Drill {name}</h1>}
      {problem !== undefined && (
        <p class="bad-words" role="alert">
          {problem}
        </p>
      )}
      {read && (
        <>
          <header class="detail-head drill-head">
            <h1>{read.drill.title}</h1>
            <span class="pill">{GROUPS[read.drill.group]}</span>
            <button
              class="primary"
              disabled={isPlaying || isStarting || other !== null || read.drill.unavailable !== null}
              onClick={play}
            >
              <Icon name="play" size={14} />
              {isPlaying || isStarting ? 'Playing…' : read.play ? 'Play again' : 'Play'}
            </button>
          </header>
          <CannotPlay drill={read.drill} other={other} />
          <Story drill={read.drill} />
          {read.play && (
            <DrillColumns
              drill={read.drill}
              play={read.play}
              traceOf={(shop) => (
                <a
                  href={`${pathInSandbox('/recordings', location.pathname)}#drills/${name}/${shop}`}
                  target="_blank"
                  // A key that was entered opens this window and those that it opens.
                  rel="opener"
                >
                  Timeline of the {shop} shop
                </a>
              )}
            />
          )}
          <Cure drill={read.drill} />
          {read.play && !isPlaying && <Share {...read} />}
        </>
      )}
    </div>
  );
}

/** Why the drill cannot be played, or not now. */
function CannotPlay({ drill, other }: { drill: ListedDrill; other: string | null }) {
  if (drill.unavailable !== null)
    return (
      <p class="drill-note">
        <span class="pill warn">not here</span> This drill cannot be played here: {drill.unavailable}.
      </p>
    );
  if (other === null) return null;
  return (
    <p class="drill-note">
      <span class="pill live">playing</span> One drill is played at a time:{' '}
      <a href={hrefOf({ view: 'drills', id: other })}>{other}</a> is under way.
    </p>
  );
}

/** What happens in the shop, and the fault that makes it happen. */
function Story({ drill: { story, wrong, faults } }: { drill: ListedDrill }) {
  return (
    <section class="detail-section" aria-label="What happens">
      <p>{story}</p>
      <p>
        <b>How money is lost:</b> the shop {wrong}.
      </p>
      <details>
        <summary>{faults.length === 1 ? 'The fault that strikes' : 'The faults that strike'}</summary>
        <FaultLines faults={faults} />
      </details>
    </section>
  );
}

function Cure({ drill: { name, right, page } }: { drill: ListedDrill }) {
  return (
    <section class="detail-section" aria-labelledby="cure-title">
      <h2 id="cure-title">The cure</h2>
      <p>A correct shop {right}.</p>
      <p>
        <a href={`${sandboxPrefix(location.pathname)}/guides/${page}`}>Read how</a> · try your own shop with{' '}
        <code>tapbench drill {name} --wait</code>
      </p>
    </section>
  );
}

/** What can be sent of a drill that was played: its page, and the address that opens it here. */
function Share({ drill }: DrillDetail) {
  const { api } = useDashboard();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const answer = await api.download(`/dashboard/drills/${drill.name}/page`);
    toast.value = answer.ok ? undefined : answer.problem;
    if (answer.ok) saveFile(answer.body);
    setBusy(false);
  };
  return (
    <section class="detail-section" aria-labelledby="share-title">
      <h2 id="share-title">Share</h2>
      <p>
        The page is one HTML file with both shops and their timelines. It needs no server and has no secrets.
      </p>
      <div class="detail-buttons">
        <button disabled={busy} onClick={save}>
          Download page
        </button>
        <CopyButton
          text={location.href.replace(/#.*/, hrefOf({ view: 'drills', id: drill.name }))}
          what="address"
        >
          Copy address
        </CopyButton>
      </div>
    </section>
  );
}
