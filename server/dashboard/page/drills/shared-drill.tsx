import { signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { SHOPS, type DrillDetail, type ShopKind } from '../../drills/drill-view.ts';
import { adoptChartStyle } from '../chart/shown-chart.ts';
import { formatDate, formatTime } from '../format.ts';
import { applyStoredTheme, ThemeButton } from '../theme.tsx';
import { readBlock } from '../trace/static-dashboard.ts';
import type { TraceContent } from '../trace/trace-content.ts';
import { TracePanes } from '../trace/trace-panes.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/list-page.css';
import '../styles/terminal.css';
import '../styles/device.css';
import '../styles/paper.css';
import '../styles/chart.css';
import '../styles/timeline.css';
import '../styles/history.css';
import '../styles/trace.css';
import '../styles/drills.css';
import { DrillColumns } from './drill-columns.tsx';

adoptChartStyle();
applyStoredTheme();
void readBlock<DrillDetail>('drill').then((detail) =>
  render(<SharedDrill {...detail} />, document.getElementById('page')!),
);

/** A drill that was played, as a file: both shops side by side, and the trace of each. */
function SharedDrill({ drill, play }: DrillDetail) {
  const shown = useHash();
  const shop = SHOPS.find((each) => each === shown && play?.runs[each].hasTrace);
  const ms = play?.startedMs ?? 0;
  return (
    <>
      <header class="top-bar shared-bar">
        <span class="brand">Tapbench</span>
        <nav aria-label="Views">
          <a href="#" aria-current={shop ? undefined : 'page'}>
            Side by side
          </a>
          {SHOPS.filter((each) => play?.runs[each].hasTrace).map((each) => (
            <a key={each} href={`#${each}`} aria-current={shop === each ? 'page' : undefined}>
              {each === 'wrong' ? 'Wrong shop' : 'Right shop'}
            </a>
          ))}
        </nav>
        <div class="spacer" />
        <span class="trace-facts clip">
          {formatDate(ms)} {formatTime(ms)} UTC
        </span>
        <ThemeButton />
      </header>
      <main id="view" tabIndex={-1}>
        {shop ? <ShopTrace shop={shop} key={shop} /> : <SideBySide drill={drill} play={play} />}
      </main>
    </>
  );
}

function SideBySide({ drill, play }: DrillDetail) {
  return (
    <div class="item-detail shared-drill">
      <h1>{drill.title}</h1>
      <p>{drill.story}</p>
      {play && (
        <DrillColumns
          drill={drill}
          play={play}
          traceOf={(shop) => <a href={`#${shop}`}>Timeline of the {shop} shop</a>}
        />
      )}
      <section class="detail-section" aria-labelledby="cure-title">
        <h2 id="cure-title">The cure</h2>
        <p>A correct shop {drill.right}.</p>
        <p>
          The documents of Tapbench have it in <code>{drill.page}</code>. Play it yourself with{' '}
          <code>npx tapbench drill {drill.name}</code>.
        </p>
      </section>
    </div>
  );
}

function ShopTrace({ shop }: { shop: ShopKind }) {
  const [content, setContent] = useState<TraceContent>();
  useEffect(() => void readBlock<TraceContent>(`trace-${shop}`).then(setContent), [shop]);
  const machines = useMemo(() => signal(content?.machines ?? []), [content]);
  if (!content) return null;
  return (
    <>
      <h1 class="unseen">The {shop} shop</h1>
      <TracePanes content={content} machines={machines} over />
    </>
  );
}

/** Returns what is behind the # of the address. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const read = () => setHash(location.hash.slice(1));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return hash;
}
