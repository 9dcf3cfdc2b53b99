import { useEffect, useState } from 'preact/hooks';
import type { PastAction, PastActionPage } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import {
  amountOf,
  codeLabel,
  formatDate,
  formatDuration,
  formatMilliseconds,
  formatTime,
} from '../format.ts';
import { FleetSidebar } from '../fleet/fleet-sidebar.tsx';
import { hrefOf } from '../route.ts';
import { LABELS, TONES } from './action-panel.tsx';

/** All actions of a terminal, newest first, page by page. */
export function ActionsView({ terminalId }: { terminalId: string }) {
  const { state } = useDashboard();
  useWatch(null);
  const { items, problem, loadOlder } = usePastActions(terminalId);
  void state.fleet.ids.value;
  const name = state.fleet.get(terminalId)?.value.name ?? 'Terminal';
  useEffect(() => {
    document.title = `Actions of ${name} · Tapbench`;
  }, [name]);
  return (
    <div class="terminal-view actions-view">
      <FleetSidebar current={terminalId} />
      <section class="actions" aria-labelledby="actions-title">
        <header class="view-head">
          <h1 id="actions-title">Actions of {name}</h1>
          <a href={hrefOf({ view: 'terminal', id: terminalId })}>Back to the terminal</a>
        </header>
        {problem !== undefined && <p class="quiet-note bad-words">{problem}</p>}
        {items?.length === 0 && <p class="quiet-note">No actions yet. Payments and refunds appear here.</p>}
        <ul class="action-list">
          {items?.map((action) => (
            <ActionRow key={action.id} action={action} />
          ))}
        </ul>
        {loadOlder && (
          <button class="older" onClick={() => void loadOlder()}>
            Show older actions
          </button>
        )}
      </section>
    </div>
  );
}

function ActionRow({ action }: { action: PastAction }) {
  const { id, terminalId, type, status, errorCode, errorReason, hasReceipt, startedMs, completedMs } = action;
  const facts = [
    errorCode && codeLabel(errorCode),
    errorReason,
    hasReceipt && 'with receipt',
    completedMs !== null && `took ${formatTook(completedMs - startedMs)}`,
  ];
  return (
    <li>
      <a href={hrefOf({ view: 'terminal', id: terminalId, actionId: id })}>
        <strong class="mono">{amountOf(action)}</strong>
        <span class={`pill ${TONES[status]}`}>{LABELS[status]}</span>
        <span>{type}</span>
        <span class="action-facts">{facts.filter(Boolean).join(' · ')}</span>
        <time title="UTC">
          {formatDate(startedMs)} {formatTime(startedMs)}
        </time>
      </a>
    </li>
  );
}

const MINUTE_MS = 60_000;

function formatTook(ms: number): string {
  return ms < MINUTE_MS ? formatMilliseconds(ms) : formatDuration(ms);
}

function usePastActions(terminalId: string) {
  const { api, link } = useDashboard();
  const [page, setPage] = useState<PastActionPage>();
  const [problem, setProblem] = useState<string>();
  const online = link.value.kind === 'online';
  const load = async (before?: string) => {
    const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`;
    const answer = await api.get<PastActionPage>(`/dashboard/terminals/${terminalId}/actions${query}`);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    const { items, hasOlder } = answer.body;
    setPage((known) => {
      if (before === undefined || !known) return answer.body;
      // A second click has loaded the same page.
      if (known.items.at(-1)?.id !== before) return known;
      return { items: [...known.items, ...items], hasOlder };
    });
  };
  useEffect(() => {
    if (online) void load();
  }, [terminalId, online]);
  const last = page?.items.at(-1)?.id;
  return {
    items: page?.items,
    problem,
    loadOlder: page?.hasOlder && last !== undefined ? () => load(last) : undefined,
  };
}
