import { useEffect, useMemo, useState } from 'preact/hooks';
import { after } from '../../../../protocol/clock.ts';
import type { WebhookEndpoint } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { type ApiResult, inOrder } from '../link/api.ts';
import { pageClock } from '../time.ts';

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
    const load = () => void show(api.get('/sandbox/webhooks'));
    const timer = after(pageClock, endpoints === undefined ? 0 : AFTER_ATTEMPT_MS, load);
    return () => timer.cancel();
  }, [api, isWanted, lastAttempt]);
  return endpoints;
}
