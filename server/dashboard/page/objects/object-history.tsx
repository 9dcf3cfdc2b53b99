import { formatMinor } from '../../../../protocol/money.ts';
import { formatDate, formatTime } from '../format.ts';
import { ObjectLink, DottedName } from '../parts/names.tsx';
import { hrefOf } from '../route.ts';
import { historyLists, type ObjectDetails } from './stored-object.ts';
import { ObjectStatus } from './object-row.tsx';

/** What happened to an object: its statuses, its events, the requests about it, and its entries in the ledger. */
export function HistoryOfObject({ found: { id: objectId, history } }: { found: ObjectDetails }) {
  const { states, events, requests, entries, hasMore } = history;
  const lists = historyLists(objectId);
  return (
    <section class="detail-section object-history" aria-label="History">
      <h2>History</h2>
      <Part title="Statuses" isEmpty={states.length === 0}>
        {states.map(({ status, createdTimestamp, eventId, requestId }, index) => (
          <li key={index}>
            <Time seconds={createdTimestamp} />
            <span>
              <ObjectStatus status={status} /> {eventId !== null && <ObjectLink id={eventId} />}{' '}
              {requestId !== null && <ObjectLink id={requestId} />}
            </span>
          </li>
        ))}
      </Part>
      <Part title="Events" isEmpty={events.length === 0} all={hasMore.events && hrefOf(lists.events)}>
        {events.map(({ id, eventType, createdTimestamp }) => (
          <li key={id}>
            <Time seconds={createdTimestamp} />
            <span>
              <a href={hrefOf({ view: 'webhooks', filters: { event: id } })}>
                <DottedName name={eventType} />
              </a>{' '}
              <ObjectLink id={id} />
            </span>
          </li>
        ))}
      </Part>
      <Part title="Requests" isEmpty={requests.length === 0} all={hasMore.requests && hrefOf(lists.requests)}>
        {requests.map(({ id, method, path, status, createdTimestamp }) => (
          <li key={id}>
            <Time seconds={createdTimestamp} />
            <a class="mono" href={hrefOf({ view: 'requests', id })}>
              {status ?? '–'} {method} {path}
            </a>
          </li>
        ))}
      </Part>
      <Part
        title="Ledger entries"
        isEmpty={entries.length === 0}
        all={hasMore.entries && hrefOf(lists.entries)}
      >
        {entries.map((entry) => (
          <LedgerEntry key={entry.id} entry={entry} />
        ))}
      </Part>
    </section>
  );
}

function LedgerEntry({ entry }: { entry: ObjectDetails['history']['entries'][number] }) {
  const { id, type, createdTimestamp, postings } = entry;
  return (
    <li>
      <Time seconds={createdTimestamp} />
      <div>
        {type} <ObjectLink id={id} />
        <ul>
          {postings.map(({ holder, amount, currency }, index) => (
            <li key={index} class="mono">
              {holder} {formatMinor(amount, currency)}
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}

interface PartProps {
  title: string;
  isEmpty: boolean;
  /** Where all of them are listed; false or undefined where all are shown. */
  all?: string | false;
  children: preact.ComponentChildren;
}

function Part({ title, isEmpty, all, children }: PartProps) {
  if (isEmpty) return null;
  return (
    <div class="object-part">
      <h3>{title}</h3>
      <ul>{children}</ul>
      {all && (
        <p class="quiet-line">
          These are the latest. <a href={all}>Show all</a>
        </p>
      )}
    </div>
  );
}

function Time({ seconds }: { seconds: number }) {
  return <time title={`${formatDate(seconds * 1000)} UTC`}>{formatTime(seconds * 1000)}</time>;
}
