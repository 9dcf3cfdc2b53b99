import type { RequestSummary } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { useLiveList } from '../parts/live-list.ts';
import { hrefOf } from '../route.ts';

/** A mark in a list: the idempotency key of the request was ignored. */
export function IgnoredKeyMark({ item }: { item: Pick<RequestSummary, 'idempotencyKey'> }) {
  if (item.idempotencyKey !== 'ignored') return null;
  return (
    <span class="key-mark" title="Its Idempotency-Key was ignored">
      <span aria-hidden="true">key ignored </span>
      <span class="unseen">its Idempotency-Key was ignored</span>
    </span>
  );
}

/** Says of a request that its idempotency key was ignored, and what follows. */
export function IgnoredKeyNote({ item }: { item: Pick<RequestSummary, 'idempotencyKey'> }) {
  if (item.idempotencyKey !== 'ignored') return null;
  return (
    <div class="refusal-note">
      <p>
        Its <b>Idempotency-Key</b> was ignored: sent again, the request is done again.
      </p>
    </div>
  );
}

/** Warns of the latest request whose idempotency key was ignored; nothing when there is none. */
export function IgnoredKeyWarning() {
  const { api, link } = useDashboard();
  const { items } = useLiveList<RequestSummary>(api, {
    path: '/sandbox/requests',
    query: 'idempotencyKey=ignored',
    online: link.value.kind === 'online',
  });
  const latest = items?.find(({ method, path }) => method === 'POST' && path.startsWith('/v1/'));
  if (latest === undefined) return null;
  return (
    <aside class="refusal-note key-warning" aria-label="Warning">
      <p>
        A client sent an <b>Idempotency-Key</b>, which is ignored here: the specification has no such header.
        What is sent twice is done twice. Read back what was done before you send again.
      </p>
      <p>
        <a href={hrefOf({ view: 'requests', id: latest.id })}>The latest such request</a>
      </p>
    </aside>
  );
}
