import { useEffect } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { useSandboxKeys, ApiKeys } from './api-keys.tsx';
import { IgnoredKeyWarning } from '../requests/ignored-key.tsx';
import { FirstPayment, FirstTerminal } from './first-payment.tsx';
import { sandboxPrefix } from '../link/sandbox-path.ts';
import { strikesOf, strikesOn } from '../faults/strikes.tsx';
import { useFaultPlans } from '../faults/fault-plans.ts';
import { RequestRow } from '../requests/request-row.tsx';
import type { RequestSummary } from '../../view.ts';
import { useLiveList } from '../parts/live-list.ts';
import { hrefOf } from '../route.ts';

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

const SHOWN = 6;

/** The last requests, each with its reply one click away. */
function LatestRequests() {
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
