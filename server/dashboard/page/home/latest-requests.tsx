import { useDashboard } from '../dashboard.ts';
import { RequestRow } from '../requests/request-row.tsx';
import type { RequestSummary } from '../../view.ts';
import { useLiveList } from '../parts/live-list.ts';
import { hrefOf } from '../route.ts';

const SHOWN = 6;

/** The last requests, each with its reply one click away. */
export function LatestRequests() {
  const { api, link } = useDashboard();
  const { items, problem } = useLiveList<RequestSummary>(api, {
    path: '/sandbox/requests',
    query: '',
    online: link.value.kind === 'online',
  });
  return (
    <section class="home-part" aria-labelledby="latest-title">
      <header class="home-part-head">
        <h2 id="latest-title">What happened last</h2>
        <a href={hrefOf({ view: 'requests' })}>Show all</a>
      </header>
      {problem !== undefined && <p class="bad-words">{problem}</p>}
      {items?.length === 0 && <p>No requests yet. Each call of your code appears here.</p>}
      {items !== undefined && items.length > 0 && (
        <ul class="request-list" aria-label="Latest requests, newest first">
          {items.slice(0, SHOWN).map((item) => (
            <RequestRow key={item.id} item={item} isOpen={false} filters={{}} />
          ))}
        </ul>
      )}
    </section>
  );
}
