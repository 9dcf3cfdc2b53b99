import { useEffect, useMemo, useState } from 'preact/hooks';
import type { WebhookEndpoint } from '../../view.ts';
import { formatCountdown, formatDate, formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';
import { now, pageClock } from '../time.ts';
import type { DeliveryFilters } from '../list-filters.ts';
import { after } from '../../../../protocol/clock.ts';
import { useDashboard } from '../dashboard.ts';
import { type ApiResult, inOrder } from '../link/api.ts';

interface EndpointListProps {
  endpoints: readonly WebhookEndpoint[];
  filters: DeliveryFilters;
}

const SHOWN_AT_FIRST = 3;

/** The endpoints with their health. Each link shows the deliveries of one endpoint, or of all again. */
export function EndpointList({ endpoints, filters }: EndpointListProps) {
  if (endpoints.length === 0)
    return (
      <p class="quiet-note endpoints-none">
        No endpoints. Register one with <code>POST /v1/webhooks</code> or{' '}
        <code>tapbench webhooks add URL</code>.
      </p>
    );
  const failing = endpoints.filter(({ health }) => health.failuresInRow > 0).length;
  return (
    <details class="endpoints" open={endpoints.length <= SHOWN_AT_FIRST}>
      <summary>
        {endpoints.length} {endpoints.length === 1 ? 'endpoint' : 'endpoints'}
        {failing > 0 && <span class="bad-words">, {failing} failing</span>}
      </summary>
      <ul aria-label="Endpoints">
        {endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} filters={filters} />
        ))}
      </ul>
    </details>
  );
}

function EndpointRow({ endpoint, filters }: { endpoint: WebhookEndpoint; filters: DeliveryFilters }) {
  const { id, url, active, health } = endpoint;
  const isShown = filters.endpoint === id;
  const tone = !active || health.deliveries === 0 ? '' : health.failuresInRow > 0 ? 'bad' : 'good';
  return (
    <li>
      <a
        href={hrefOf({ view: 'webhooks', filters: { ...filters, endpoint: isShown ? '' : id } })}
        aria-current={isShown ? 'true' : undefined}
        title={isShown ? 'Show the deliveries of all endpoints' : 'Show its deliveries only'}
      >
        <i class={`led ${tone}`} />
        <span class="mono endpoint-url">{url}</span>
        <span class="endpoint-health">
          {healthParts(endpoint).map(([text, isBad]) => (
            <span key={text} class={isBad ? 'bad-words' : undefined}>
              {text}
            </span>
          ))}
        </span>
      </a>
    </li>
  );
}

/** What is to be said about an endpoint, and whether it is bad. */
function healthParts({ active, health }: WebhookEndpoint): [string, boolean][] {
  const { deliveries, delivered, failed, waiting, failuresInRow, lastSuccessTimestamp, lastFailure } = health;
  if (deliveries === 0) return [[active ? 'nothing sent yet' : 'inactive', false]];
  const ended = delivered + failed;
  const most = deliveries >= 1_000 ? ' of the latest 1,000' : '';
  const parts: [string, boolean][] = [];
  if (!active) parts.push(['inactive', false]);
  if (ended > 0) parts.push([`${Math.floor((delivered / ended) * 100)} % delivered${most}`, false]);
  if (failuresInRow > 0) parts.push([`${failuresInRow} failed in a row: ${lastFailure}`, true]);
  if (waiting > 0) parts.push([waitingText(health), false]);
  parts.push([
    lastSuccessTimestamp === null ? 'no success yet' : `last success ${timeText(lastSuccessTimestamp)}`,
    false,
  ]);
  return parts;
}

function waitingText({ waiting, nextAttemptTimestamp: next }: WebhookEndpoint['health']): string {
  const leftMs = next === null ? 0 : next * 1000 - now.value;
  return leftMs > 0 ? `${waiting} waiting, next in ${formatCountdown(leftMs)}` : `${waiting} waiting`;
}

/** The time of day, with its date when that is not today. */
export function timeText(timestamp: number): string {
  const date = formatDate(timestamp * 1000);
  const time = formatTime(timestamp * 1000);
  return date === formatDate(now.value) ? time : `${date} ${time}`;
}

// Attempts come many at a time.
const AFTER_ATTEMPT_MS = 400;

/** Loads the endpoints with their health while `wanted`, and again after attempts. Undefined until they are there. */
export function useEndpoints(wanted: boolean): readonly WebhookEndpoint[] | undefined {
  const { api, link, state } = useDashboard();
  const [endpoints, setEndpoints] = useState<readonly WebhookEndpoint[] | undefined>();
  const show = useMemo(
    () =>
      inOrder((answer: ApiResult<{ items: WebhookEndpoint[] }>) => {
        if (answer.ok) setEndpoints(answer.body.items);
      }),
    [],
  );
  const isWanted = wanted && link.value.kind === 'online';
  const lastAttempt = state.attempts.value.at(-1);
  useEffect(() => {
    if (!isWanted) return;
    const load = () => void show(api.answer('GET /sandbox/webhooks'));
    const timer = after(pageClock, endpoints === undefined ? 0 : AFTER_ATTEMPT_MS, load);
    return () => timer.cancel();
  }, [api, isWanted, lastAttempt]);
  return endpoints;
}
