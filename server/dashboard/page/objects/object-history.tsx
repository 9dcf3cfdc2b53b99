import { formatMinor } from '../../../../protocol/money.ts';
import { formatDate, formatTime } from '../format.ts';
import { ObjectLink } from '../requests/object-link.tsx';
import { hrefOf } from '../route.ts';
import type { ObjectHistory } from './stored-object.ts';

/** What happened to an object: its statuses, its events, the requests about it, and its entries in the ledger. */
export function HistoryOfObject({ history }: { history: ObjectHistory }) {
  const { states, events, requests, entries } = history;
  return (
    <section class="request-content object-history" aria-label="History">
      <h2>History</h2>
      <Part title="Statuses" isEmpty={states.length === 0}>
        {states.map(({ status, createdTimestamp, eventId, requestId }, index) => (
          <li key={index}>
            <Time seconds={createdTimestamp} />
            <span>
              <span class="pill">{status}</span> {eventId !== null && <ObjectLink id={eventId} />}{' '}
              {requestId !== null && <ObjectLink id={requestId} />}
            </span>
          </li>
        ))}
      </Part>
      <Part title="Events" isEmpty={events.length === 0}>
        {events.map(({ id, eventType, createdTimestamp }) => (
          <li key={id}>
            <Time seconds={createdTimestamp} />
            <span>
              <a href={hrefOf({ view: 'webhooks', filters: { event: id } })}>{eventType}</a>{' '}
              <ObjectLink id={id} />
            </span>
          </li>
        ))}
      </Part>
      <Part title="Requests" isEmpty={requests.length === 0}>
        {requests.map(({ id, method, path, status, createdTimestamp }) => (
          <li key={id}>
            <Time seconds={createdTimestamp} />
            <a class="mono" href={hrefOf({ view: 'requests', id })}>
              {status ?? '–'} {method} {path}
            </a>
          </li>
        ))}
      </Part>
      <Part title="Ledger entries" isEmpty={entries.length === 0}>
        {entries.map(({ id, type, createdTimestamp, postings }) => (
          <li key={id}>
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
        ))}
      </Part>
    </section>
  );
}

interface PartProps {
  title: string;
  isEmpty: boolean;
  children: preact.ComponentChildren;
}

function Part({ title, isEmpty, children }: PartProps) {
  if (isEmpty) return null;
  return (
    <div class="object-part">
      <h3>{title}</h3>
      <ul>{children}</ul>
    </div>
  );
}

function Time({ seconds }: { seconds: number }) {
  return <time title={`${formatDate(seconds * 1000)} UTC`}>{formatTime(seconds * 1000)}</time>;
}
