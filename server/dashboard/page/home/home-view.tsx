import { useEffect } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { useSandboxKeys } from '../parts/sandbox-keys.ts';
import { IgnoredKeyWarning } from '../requests/ignored-key.tsx';
import { ApiKeys } from './api-keys.tsx';
import { FirstPayment } from './first-payment.tsx';
import { FirstTerminal } from './first-terminal.tsx';
import { LatestRequests } from './latest-requests.tsx';
import { sandboxPrefix } from '../link/sandbox-path.ts';

const GUIDES = [
  { file: 'quick-start', label: 'Quick start', about: 'a first payment, step by step' },
  { file: 'in-person-payments', label: 'In-person payments', about: 'terminals, receipts, what goes wrong' },
  { file: 'online-payments', label: 'Online payments', about: 'a website or an app' },
  { file: 'webhooks', label: 'Receive events', about: 'endpoints, retries, signatures' },
  { file: 'testing', label: 'Testing', about: 'with vitest, or in any language' },
  { file: 'command-line', label: 'Command line', about: 'every command and setting' },
] as const;

/** Links to the reference and to the guides, which this server serves. */
function ReadingList() {
  const prefix = sandboxPrefix(location.pathname);
  return (
    <section class="home-part" aria-labelledby="reading-title">
      <h2 id="reading-title">Read on</h2>
      <ul class="home-reading">
        <li>
          <a href={`${prefix}/docs`}>API reference</a> <span>every operation, to try here</span>
        </li>
        {GUIDES.map(({ file, label, about }) => (
          <li key={file}>
            <a href={`${prefix}/guides/docs/${file}.md`}>{label}</a> <span>{about}</span>
          </li>
        ))}
        <li>
          <a href={`${prefix}/guides`}>All documents</a>
        </li>
      </ul>
    </section>
  );
}

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
