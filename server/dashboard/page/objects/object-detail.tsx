import { useEffect, useState } from 'preact/hooks';
import { after } from '../../../../protocol/clock.ts';
import { useDashboard, useWatch } from '../dashboard.ts';
import { formatDate, formatTime } from '../format.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icons.tsx';
import { ObjectLink } from '../requests/object-link.tsx';
import { hrefOf } from '../route.ts';
import { pageClock } from '../time.ts';
import { JsonView } from '../timeline/json-view.tsx';
import { MachinePanes } from '../timeline/machine-panes.tsx';
import type { ObjectFilters } from './object-filters.ts';
import { HistoryOfObject } from './object-history.tsx';
import { hasMachine, nameOfOne } from './object-kinds.ts';
import { Relations } from './object-relations.tsx';
import { amountOf } from './object-row.tsx';
import type { ObjectDetails } from './stored-object.ts';

const READ_EVERY_MS = 2_000;

/** An object: what is stored, what it names and is named by, what happened to it, and the chart of its machine. */
export function ObjectDetail({ id, filters }: { id: string; filters: ObjectFilters }) {
  const found = useObject(id);
  const machine = typeof found === 'object' && hasMachine(found.type);
  useWatch(machine ? { kind: 'object', id } : null);
  const back = (
    <a class="request-back" href={hrefOf({ view: 'objects', filters })}>
      <Icon name="back" size={14} />
      All objects
    </a>
  );
  if (typeof found !== 'object')
    return (
      <div class="request-detail">
        {back}
        {found !== undefined && <p class="quiet-note">{found}</p>}
      </div>
    );
  const showsMachine = machine && filters.panel === 'machine';
  return (
    <div class={showsMachine ? 'request-detail object-machine' : 'request-detail'}>
      {back}
      <Head found={found} />
      {machine && <PanelChoice id={id} filters={filters} />}
      {showsMachine ? (
        <MachinePanes actionId={null} now={{ state: null, deadlineMs: null }} over={false} />
      ) : (
        <>
          <Facts found={found} />
          <Relations found={found} />
          <HistoryOfObject history={found.history} />
          <section class="request-content" aria-label="JSON">
            <h2>JSON</h2>
            <JsonView value={found.object} />
          </section>
        </>
      )}
    </div>
  );
}

/** Returns the object as it is stored, read again while it is shown; a text when it cannot be read. */
function useObject(id: string): ObjectDetails | string | undefined {
  const { api, link } = useDashboard();
  const online = link.value.kind === 'online';
  const [found, setFound] = useState<ObjectDetails | string | undefined>();
  useEffect(() => {
    if (!online) return;
    let stopped = false;
    let cancel = () => {};
    const read = async () => {
      // Behind another window nobody sees it.
      if (!document.hidden) {
        const answer = await api.get<ObjectDetails>(`/sandbox/objects/${encodeURIComponent(id)}`);
        if (stopped) return;
        setFound(answer.ok ? answer.body : answer.problem);
      }
      cancel = after(pageClock, READ_EVERY_MS, () => void read()).cancel;
    };
    void read();
    return () => {
      stopped = true;
      cancel();
    };
  }, [api, id, online]);
  return found;
}

function Head({ found }: { found: ObjectDetails }) {
  const { id, type, label, status, deleted } = found;
  return (
    <header class="request-head">
      {status !== null && <span class="pill">{status}</span>}
      {deleted && <span class="pill bad">deleted</span>}
      <h1>
        {nameOfOne(type)} {label !== null && <span class="object-label">{label}</span>}{' '}
        <span class="mono">{id}</span>
      </h1>
      <CopyButton text={id} what="id" />
    </header>
  );
}

function PanelChoice({ id, filters }: { id: string; filters: ObjectFilters }) {
  const { panel, ...rest } = filters;
  const panels = [
    { label: 'Details', filters: rest, isOpen: panel !== 'machine' },
    { label: 'State machine', filters: { ...rest, panel: 'machine' }, isOpen: panel === 'machine' },
  ];
  return (
    <nav class="segments object-panels" aria-label="Parts of the object">
      {panels.map(({ label, filters: to, isOpen }) => (
        <a key={label} href={hrefOf({ view: 'objects', id, filters: to })} aria-current={isOpen || undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function Facts({ found }: { found: ObjectDetails }) {
  const { state, accountId, createdTimestamp, nextMoment } = found;
  const time = (seconds: number) => `${formatDate(seconds * 1000)} ${formatTime(seconds * 1000)} UTC`;
  const facts: [string, preact.ComponentChildren][] = [
    ['Amount', amountOf(found)],
    ['State', state],
    ['Next', nextMoment && `${nextMoment.what} at ${time(nextMoment.timestamp)}`],
    ['Account', accountId !== null && <ObjectLink id={accountId} />],
    ['Created', createdTimestamp !== null && time(createdTimestamp)],
  ];
  return (
    <dl class="request-facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
