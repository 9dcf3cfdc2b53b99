import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { problem, type Api } from '../link/api.ts';
import type { ApiResult } from '../link/api-result.ts';

const EXAMPLE_LOCATION = {
  name: 'Dashboard counter',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
};

async function register(api: Api): Promise<ApiResult<unknown>> {
  const location = await api.post<{ id: string }>('/v1/in-person/locations', { body: EXAMPLE_LOCATION });
  if (!location.ok) return location;
  return api.post('/v1/in-person/terminals', {
    body: { serialNumber: 'SIM-COUNTER-1', name: 'Counter 1', locationId: location.body.id },
  });
}

/** How to register the first terminal, shown while there are none. */
export function FirstTerminal() {
  const { api, state } = useDashboard();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const answer = await register(api);
    problem.value = answer.ok ? undefined : answer.problem;
    setBusy(false);
  };
  return (
    <section class="home-part" aria-labelledby="first-terminal-title">
      <h2 id="first-terminal-title">No terminals yet</h2>
      <p>
        Register one with <code>POST /v1/in-person/terminals</code>. A terminal whose serial number begins
        with <code>SIM</code> is simulated. To start a whole fleet, run{' '}
        <code>npx tapbench sim --terminals 200</code>.
      </p>
      {state.mode.value === 'sandbox' && (
        <button class="primary" disabled={busy} onClick={start}>
          Register a simulated terminal
        </button>
      )}
    </section>
  );
}
