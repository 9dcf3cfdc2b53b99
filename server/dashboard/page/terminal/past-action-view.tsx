import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FleetTerminal, PastAction } from '../../view.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { FleetSidebar } from '../fleet/fleet-sidebar.tsx';
import { formatDate, formatTime } from '../format.ts';
import { type ApiResult, inOrder } from '../link/api.ts';
import { hrefOf } from '../route.ts';
import { MachinePanes, type Pane, PaneSwitch } from '../timeline/machine-panes.tsx';
import { terminalAt, type PastTerminal } from './terminal-at.ts';
import { ActionPanel } from './action-panel.tsx';
import { CardSlot, Display } from './device.tsx';
import { Receipt } from './receipt.tsx';
import { Switches } from './switches.tsx';

/** One action of a terminal, whenever it was: its receipts, chart and timeline, and the device at each step. */
export function PastActionView({ terminal, actionId }: { terminal: FleetTerminal; actionId: string }) {
  const { api, state, link } = useDashboard();
  useWatch({ kind: 'action', id: actionId });
  const [action, setAction] = useState<PastAction>();
  const [problem, setProblem] = useState<string>();
  const [pane, setPane] = useState<'device' | Pane>('device');
  const [shown, setShown] = useState<number | null>(null);
  const timeline = state.watched.timeline.value;
  const last = timeline?.entries.at(-1)?.seq;
  const online = link.value.kind === 'online';
  const show = useMemo(
    () =>
      inOrder((answer: ApiResult<PastAction>) => {
        if (answer.ok) setAction(answer.body);
        else setProblem(answer.problem);
      }),
    [],
  );
  useEffect(() => {
    if (online) void show(api.get(`/dashboard/actions/${actionId}`));
  }, [actionId, online, last]);
  if (!action) return <p class="quiet-note">{problem ?? 'Loading action…'}</p>;

  const past = last !== undefined && terminalAt(terminal, action, timeline!.entries, shown ?? last);
  const begun = `${formatDate(action.startedMs)} ${formatTime(action.startedMs)} UTC`;
  return (
    <div class="terminal-view" data-pane={pane}>
      <FleetSidebar current={terminal.id} />
      <PaneSwitch title={`Action of ${terminal.name}`} pane={pane} choose={setPane} />
      <section class="terminal-panel" aria-label={`Action of ${terminal.name}`}>
        <header class="past-head">
          <h1>Action of {terminal.name}</h1>
          <a href={hrefOf({ view: 'actions', id: terminal.id })}>All actions</a>
        </header>
        {past ? (
          <PastPanel
            past={past}
            caption={`${shown === null ? 'How it ended' : 'As it was then'}; begun ${begun}`}
          />
        ) : (
          <p class="quiet-note">
            {timeline ? 'The timeline of this action is no longer stored.' : 'Loading timeline…'}
          </p>
        )}
      </section>
      <MachinePanes
        actionId={actionId}
        now={{ state: null, deadlineMs: null }}
        over={action.status !== 'InProgress'}
        onShow={setShown}
      />
    </div>
  );
}

/** The terminal as it was at a moment: action, receipts, display, card, power, network and paper, without controls. */
export function PastPanel({
  past: { terminal, sessionState },
  caption,
  back,
}: {
  past: PastTerminal;
  /** The moment, in words. */
  caption: string;
  /** Leads back to the present; absent when there is nothing to go back to. */
  back?: { label: string; go: () => void } | undefined;
}) {
  return (
    <>
      <p class="past-note" role="status">
        <span>{caption}</span>
        {back && <button onClick={back.go}>{back.label}</button>}
      </p>
      {terminal.action && (
        <ActionPanel terminal={terminal} action={terminal.action} sessionState={sessionState} />
      )}
      <section class="device past" aria-label="Device at this moment">
        <Display terminal={terminal} />
        {terminal.deviceState && <CardSlot card={terminal.deviceState.card} />}
      </section>
      {terminal.deviceState && <Switches terminal={terminal} />}
      <Receipt terminal={terminal} />
    </>
  );
}
