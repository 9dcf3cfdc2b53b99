import { useDashboard } from '../dashboard.ts';
import { strikesOf, strikesOn } from '../faults/plan-strikes.ts';
import { useFaultPlans } from '../faults/use-fault-plans.ts';
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
  const strikes = strikesOf(useFaultPlans().plans);
  return (
    <section class="home-part" aria-labelledby="latest-title">
      <header class="home-part-head">
        <h2 id="latest-title">What happened last</h2>
        <a href={hrefOf({ view: 'requests' })}>Show all</a>
      </header>
      {problem !== undefined && <p class="bad-words">{problem}</p>}
      {items?.length === 0 && <p>No requests yet. Each call of your code appears here.</p>}
      {items !== undefined && items.length > 0 && (
        <ul class="item-list" aria-label="Latest requests, newest first">
          {items.slice(0, SHOWN).map((item) => (
            <RequestRow
              key={item.id}
              item={item}
              isOpen={false}
              filters={{}}
              strikes={strikesOn(strikes, [item.id])}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
