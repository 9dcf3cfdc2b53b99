import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { problem, type Api, type Answer } from '../link/api.ts';

const PLACE = {
  name: 'Dashboard counter',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
};

async function register(api: Api): Promise<Answer<unknown>> {
  const location = await api.post<{ id: string }>('/v1/in-person/locations', { body: PLACE });
  if (!location.ok) return location;
  return api.post('/v1/in-person/terminals', {
    body: { serialNumber: 'SIM-COUNTER-1', name: 'Counter 1', locationId: location.body.id },
  });
}

/** What to do first, shown while there are no terminals. */
export function EmptyFleet() {
  const { api, state } = useDashboard();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const answer = await register(api);
    problem.value = answer.ok ? undefined : answer.problem;
    setBusy(false);
  };
  return (
    <section class="empty">
      <h1>No terminals yet</h1>
      <p>
        A terminal whose serial number begins with <code>SIM</code> is simulated as soon as it is registered
        with <code>POST /v1/in-person/terminals</code>. For a whole fleet:{' '}
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
