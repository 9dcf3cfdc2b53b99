import { useEffect } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { useSandboxKeys } from '../parts/sandbox-keys.ts';
import { IgnoredKeyWarning } from '../requests/ignored-key.tsx';
import { ApiKeys } from './api-keys.tsx';
import { FirstPayment } from './first-payment.tsx';
import { FirstTerminal } from './first-terminal.tsx';
import { LatestRequests } from './latest-requests.tsx';
import { ReadingList } from './reading-list.tsx';

/** The first screen of a sandbox: what one needs to take a first payment, and what happened last. */
export function HomeView() {
  const { state } = useDashboard();
  useWatch(null);
  useEffect(() => {
    document.title = 'Get started · Tapbench';
  }, []);
  const keys = useSandboxKeys();
  if (!state.loaded.value) return <p class="quiet-note">Loading terminals…</p>;
  const [terminalId] = state.fleet.ids.value;
  const isSandbox = state.mode.value === 'sandbox';
  return (
    <section class="home" aria-labelledby="home-title">
      <header class="home-head">
        <h1 id="home-title">Get started</h1>
        {isSandbox && (
          <p>Take a payment on a simulated terminal, from here or from your code. No real money moves.</p>
        )}
      </header>
      <div class="home-main">
        {isSandbox && <IgnoredKeyWarning />}
        {terminalId === undefined ? (
          <FirstTerminal />
        ) : (
          <FirstPayment terminalId={terminalId} secretKey={keys?.secretKey} />
        )}
        {isSandbox && <LatestRequests />}
      </div>
      <div class="home-side">
        <ApiKeys keys={keys} />
        <ReadingList />
      </div>
    </section>
  );
}
