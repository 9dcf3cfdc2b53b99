import { useEffect, useRef, useState } from 'preact/hooks';
import { useWatch, useDashboard } from '../dashboard.ts';
import { formatDate, formatTime } from '../format.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icons.tsx';
import { ObjectLink, DottedName } from '../parts/names.tsx';
import { hrefOf, type Route } from '../route.ts';
import { JsonView } from '../parts/sent-content.tsx';
import { MachinePanes } from '../timeline/machine-panes.tsx';
import { ObjectActions } from './object-actions.tsx';
import type { ObjectFilters } from '../list-filters.ts';
import { HistoryOfObject } from './object-history.tsx';
import { hasMachine, nameOfOne, isObjectKind, OBJECT_KINDS } from './object-kinds.ts';
import { amountOf, ObjectStatus } from './object-row.tsx';
import type { ObjectDetails } from './stored-object.ts';
import { rereadOnChange, type Rereading } from '../parts/reread.ts';
import { pageClock } from '../time.ts';

/** An object: what is stored, what it names and is named by, what happened to it, and the chart of its machine. */
export function ObjectDetail({ id, filters }: { id: string; filters: ObjectFilters }) {
  const { found, reread } = useObject(id);
  const machine = typeof found === 'object' && hasMachine(found.type);
  useWatch(machine ? { kind: 'object', id } : null);
  const back = (
    <a class="detail-back" href={hrefOf({ view: 'objects', filters })}>
      <Icon name="back" size={14} />
      All objects
    </a>
  );
  if (typeof found !== 'object')
    return (
      <div class="item-detail">
        {back}
        <h1 class="unseen">Object {id}</h1>
        {found !== undefined && <p class="quiet-note">{found}</p>}
      </div>
    );
  const showsMachine = machine && filters.panel === 'machine';
  return (
    <div class={showsMachine ? 'item-detail object-machine' : 'item-detail'}>
      {back}
      <Head found={found} />
      {machine && <PanelChoice id={id} filters={filters} />}
      {showsMachine ? (
        <MachinePanes actionId={null} now={{ state: null, deadlineMs: null }} over={false} />
      ) : (
        <>
          <Facts found={found} />
          <ObjectActions found={found} onResponse={reread} />
          <Relations found={found} />
          <HistoryOfObject found={found} />
          <section class="detail-section" aria-label="JSON">
            <h2>JSON</h2>
            <JsonView value={found.object} />
          </section>
        </>
      )}
    </div>
  );
}

function Head({ found }: { found: ObjectDetails }) {
  const { id, type, label, status, deleted } = found;
  const atTerminal = placeAtTerminal(found);
  return (
    <header class="detail-head">
      {status !== null && <ObjectStatus status={status} />}
      {deleted && <span class="pill bad">deleted</span>}
      <h1>
        {nameOfOne(type)} {label !== null && <span class="object-label">{label}</span>}{' '}
        <span class="mono">{id}</span>
      </h1>
      <CopyButton text={id} what="id" />
      {atTerminal && (
        <a href={hrefOf(atTerminal)}>{type === 'action' ? 'Open it at its terminal' : 'Open the terminal'}</a>
      )}
    </header>
  );
}

/** Returns the view of a terminal, or of an action at its terminal; undefined for other objects. */
function placeAtTerminal({ id, type, names, deleted }: ObjectDetails): Route | undefined {
  if (type === 'terminal') return deleted ? undefined : { view: 'terminal', id };
  const terminal = type === 'action' ? names.find((named) => named.id.startsWith('tml_')) : undefined;
  return terminal && { view: 'terminal', id: terminal.id, actionId: id };
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
    <dl class="detail-facts">
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

/**
 * Returns an object as it is stored; a text when it cannot be read. It is read again after each message of the server, since any
 * call may have changed it.
 */
function useObject(id: string): { found: ObjectDetails | string | undefined; reread: () => void } {
  const { api, link, state } = useDashboard();
  const online = link.value.kind === 'online';
  const [found, setFound] = useState<ObjectDetails | string | undefined>();
  const reading = useRef<Rereading | undefined>(undefined);
  useEffect(() => {
    if (!online) return;
    let stopped = false;
    const parts = { clock: pageClock, changes: state.changes, isHidden: () => document.hidden };
    const rereading = rereadOnChange(parts, async () => {
      const answer = await api.answer('GET /sandbox/objects/{id}', { params: { id } });
      if (!stopped) setFound(answer.ok ? answer.body : answer.problem);
    });
    reading.current = rereading;
    return () => {
      stopped = true;
      rereading.stop();
    };
  }, [api, id, online]);
  return { found, reread: () => reading.current?.reread() };
}

/** The objects that an object names, and those that name it. */
function Relations({ found: { id, names, namedBy } }: { found: ObjectDetails }) {
  if (names.length === 0 && namedBy.length === 0) return null;
  return (
    <section class="detail-section" aria-label="Relations">
      <h2>Relations</h2>
      {names.length > 0 && (
        <dl class="detail-facts">
          {names.map(({ member, id: named }) => (
            <div key={`${member} ${named}`}>
              <dt>{isObjectKind(member) ? nameOfOne(member) : <DottedName name={member} />}</dt>
              <dd class="mono">
                <ObjectLink id={named} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {namedBy.map(({ type, items, hasMore }) => (
        <div key={type} class="object-related">
          <h3>{OBJECT_KINDS[type]}</h3>
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <ObjectLink id={item.id} />
                <span class="quiet-line">
                  {[item.label, amountOf(item), item.status].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          {hasMore && <a href={hrefOf({ view: 'objects', filters: { type, object: id } })}>Show all</a>}
        </div>
      ))}
    </section>
  );
}
