import { useEffect, useState } from 'preact/hooks';
import type { StoredRequest } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatDate, formatMilliseconds, formatTime } from '../format.ts';
import { type PlanStrike, StruckNote } from '../faults/strikes.tsx';
import { sandboxPrefix } from '../link/sandbox-path.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { HeaderFields, JsonView } from '../parts/sent-content.tsx';
import { Icon } from '../parts/icons.tsx';
import { DottedName, ObjectLink, ObjectLinks } from '../parts/names.tsx';
import { hrefOf } from '../route.ts';
import { CodeSamples } from './code-samples.tsx';
import { IgnoredKeyNote } from './ignored-key.tsx';
import type { RequestFilters } from '../list-filters.ts';
import { SendAgain } from './send-again.tsx';
import { StatusPill } from './request-row.tsx';

interface RequestDetailProps {
  id: string;
  filters: RequestFilters;
  /** What struck it. */
  strikes: readonly PlanStrike[];
}

/** A request with its reply, why it was refused, what it caused, and how to send it again. */
export function RequestDetail({ id, filters, strikes }: RequestDetailProps) {
  const { api, link } = useDashboard();
  const online = link.value.kind === 'online';
  const [request, setRequest] = useState<StoredRequest | string | undefined>();
  useEffect(() => {
    if (!online) return;
    void api
      .answer('GET /sandbox/requests/{id}', { params: { id } })
      .then((answer) => setRequest(answer.ok ? answer.body : answer.problem));
  }, [id, online]);
  const back = (
    <a class="detail-back" href={hrefOf({ view: 'requests', filters })}>
      <Icon name="back" size={14} />
      All requests
    </a>
  );
  if (typeof request !== 'object')
    return (
      <div class="item-detail">
        {back}
        <h1 class="unseen">Request {id}</h1>
        {request !== undefined && <p class="quiet-note">{request}</p>}
      </div>
    );
  return (
    <div class="item-detail">
      {back}
      <RequestHead request={request} />
      <StruckNote strikes={strikes} />
      <IgnoredKeyNote item={request} />
      <RefusalNote request={request} />
      <Facts request={request} />
      <Content
        title="Request"
        headers={request.headers}
        query={request.query}
        body={request.body}
        none="No body."
      />
      <Content title="Reply" headers={request.replyHeaders} query={{}} body={request.reply} none="No text." />
      <Events request={request} />
      <SendAgain request={request} filters={filters} />
      <CodeSamples request={request} />
    </div>
  );
}

function RequestHead({ request: { method, path, status } }: { request: StoredRequest }) {
  return (
    <header class="detail-head">
      <StatusPill status={status} />
      <h1 class="mono">
        {method} {path}
      </h1>
    </header>
  );
}

interface ErrorReply {
  errors?: { message?: string }[];
}

function RefusalNote({
  request: { refusal, reply, section, reference, operation },
}: {
  request: StoredRequest;
}) {
  if (refusal === null) return null;
  const message = (reply as ErrorReply | null)?.errors?.[0]?.message;
  return (
    <div class="refusal-note">
      <p>
        <b>{refusal.replaceAll('_', ' ')}</b>: {message}.
      </p>
      <p>
        {section}
        {reference !== null && (
          <>
            {' · '}
            <a href={sandboxPrefix(location.pathname) + reference} target="_blank" rel="noreferrer">
              {operation} in the reference
            </a>
          </>
        )}
      </p>
    </div>
  );
}

function Facts({ request }: { request: StoredRequest }) {
  const { receivedTimestamp, createdTimestamp, elapsedMs, keyLastFour, accountId, requestId, id, objectIds } =
    request;
  const time = (seconds: number) => `${formatDate(seconds * 1000)} ${formatTime(seconds * 1000)} UTC`;
  const facts: [string, preact.ComponentChildren][] = [
    ['Received', time(receivedTimestamp)],
    ...(createdTimestamp === receivedTimestamp
      ? []
      : [['Sandbox time', time(createdTimestamp)] as [string, string]]),
    ['Took', formatMilliseconds(elapsedMs)],
    ['Key', keyLastFour === null ? 'none' : `…${keyLastFour}`],
    ['Account', accountId ?? 'none'],
    ['Id', <IdText id={id} />],
    ...(requestId === null
      ? []
      : [['requestId', <IdText id={requestId} />] as [string, preact.ComponentChildren]]),
    ...(objectIds.length === 0
      ? []
      : [['Objects', <ObjectLinks ids={objectIds} />] as [string, preact.ComponentChildren]]),
  ];
  return (
    <dl class="detail-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function IdText({ id }: { id: string }) {
  return (
    <>
      {id} <CopyButton text={id} what="id" />
    </>
  );
}

interface ContentProps {
  title: string;
  headers: object;
  query: object;
  body: unknown;
  none: string;
}

function Content({ title, headers, query, body, none }: ContentProps) {
  return (
    <section class="detail-section" aria-label={title}>
      <h2>{title}</h2>
      <HeaderFields fields={{ ...query, ...headers }} />
      {body === null ? <p class="quiet-line">{none}</p> : <JsonView value={body} />}
    </section>
  );
}

function Events({ request: { events } }: { request: StoredRequest }) {
  if (events.length === 0) return null;
  return (
    <section class="detail-section" aria-label="Events">
      <h2>Events that it caused</h2>
      <ul class="request-events mono">
        {events.map(({ id, eventType, objectId }) => (
          <li key={id}>
            <b>
              <DottedName name={eventType} />
            </b>{' '}
            <ObjectLink id={objectId} />
          </li>
        ))}
      </ul>
    </section>
  );
}
