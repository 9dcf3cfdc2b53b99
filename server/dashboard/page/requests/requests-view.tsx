import { useEffect } from 'preact/hooks';
import type { RequestSummary } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { strikesOf, strikesOn, type PlanStrike } from '../faults/strikes.tsx';
import { useFaultPlans } from '../faults/fault-plans.ts';
import { FilterForm } from '../parts/filter-form.tsx';
import { useLiveList } from '../parts/live-list.ts';
import { navigate } from '../routing.ts';
import { requestQuery, type RequestFilters } from '../list-filters.ts';
import { IgnoredKeyWarning } from './ignored-key.tsx';
import { RequestDetail } from './request-detail.tsx';
import { RequestRow } from './request-row.tsx';

const STATUSES = [
  { status: undefined, label: 'All' },
  { status: '2xx', label: '2xx' },
  { status: '4xx', label: '4xx' },
  { status: '5xx', label: '5xx' },
] as const;

/** The requests that the server received, and one of them with its reply. */
export function RequestsView({ id, filters }: { id: string | undefined; filters: RequestFilters }) {
  const { api, link } = useDashboard();
  useWatch(null);
  const { items, problem, loadOlder } = useLiveList<RequestSummary>(api, {
    path: '/sandbox/requests',
    query: requestQuery(filters),
    online: link.value.kind === 'online',
  });
  const strikes = strikesOf(useFaultPlans().plans);
  useEffect(() => {
    document.title = 'Requests · Tapbench';
  }, []);
  // With a request the title of the page is that of the request.
  const Title = id === undefined ? 'h1' : 'h2';
  return (
    <section class={id ? 'list-page with-detail' : 'list-page'} aria-labelledby="requests-title">
      <div class="list-side">
        <div class="view-head">
          <Title id="requests-title">Requests</Title>
          <div class="segments" role="group" aria-label="Status">
            {STATUSES.map(({ status, label }) => (
              <button
                key={label}
                aria-pressed={filters.status === status}
                onClick={() => navigate({ view: 'requests', filters: { ...filters, status: status ?? '' } })}
              >
                {label}
              </button>
            ))}
          </div>
          <FilterForm
            key={requestQuery(filters)}
            fields={FIELDS}
            filters={filters}
            onFilter={(next) => navigate({ view: 'requests', filters: next })}
          >
            <MethodField filters={filters} />
          </FilterForm>
        </div>
        <IgnoredKeyWarning />
        {problem !== undefined && <p class="quiet-note bad-words">{problem}</p>}
        {items?.length === 0 && problem === undefined && (
          <p class="quiet-note">
            {requestQuery(filters)
              ? 'No request fits these filters.'
              : 'No requests yet. Calls of /v1 appear here.'}
          </p>
        )}
        {items !== undefined && items.length > 0 && (
          <RequestItems items={items} filters={filters} openId={id} strikes={strikes} />
        )}
        {loadOlder && (
          <button class="older" onClick={() => void loadOlder()}>
            Show older requests
          </button>
        )}
      </div>
      {id === undefined ? (
        <p class="quiet-note list-hint">Select a request to see what was sent and what came back.</p>
      ) : (
        <RequestDetail id={id} filters={filters} strikes={strikesOn(strikes, [id])} key={id} />
      )}
    </section>
  );
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

function MethodField({ filters }: { filters: RequestFilters }) {
  return (
    <label class="field">
      Method
      <select
        value={filters.method ?? ''}
        onChange={(event) =>
          navigate({ view: 'requests', filters: { ...filters, method: event.currentTarget.value } })
        }
      >
        <option value="">All</option>
        {METHODS.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
    </label>
  );
}

interface ItemsProps {
  items: readonly RequestSummary[];
  filters: RequestFilters;
  openId: string | undefined;
  strikes: readonly PlanStrike[];
}

function RequestItems({ items, filters, openId, strikes }: ItemsProps) {
  return (
    <ul class="item-list" aria-label="Requests, newest first">
      {items.map((item) => (
        <RequestRow
          key={item.id}
          item={item}
          isOpen={item.id === openId}
          filters={filters}
          strikes={strikesOn(strikes, [item.id])}
        />
      ))}
    </ul>
  );
}

const FIELDS = [
  { name: 'path', label: 'Path', placeholder: '/v1/payment-sessions' },
  { name: 'object', label: 'Object', placeholder: 'ps_… tml_… cus_…' },
  { name: 'text', label: 'Text', placeholder: 'in body or reply' },
] as const;
