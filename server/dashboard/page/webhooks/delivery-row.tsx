import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { problem } from '../link/api.ts';
import { Icon } from '../parts/icons.tsx';
import { now } from '../time.ts';
import { formatCountdown, formatTime } from '../format.ts';
import type { Delivery } from './deliveries.ts';

const TONES = { delivered: 'good', retrying: 'warn', failed: 'bad', pending: 'plain' } as const;

export function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { eventId, eventType, endpointUrl, status, nextMs, atMs } = delivery;
  const [open, setOpen] = useState(false);
  return (
    <li class={`delivery${open ? ' open' : ''}`}>
      <button class="delivery-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" />
        <time title={`${formatTime(atMs)} UTC`}>{formatTime(atMs)}</time>
        <b class="mono clip">{eventType}</b>
        <span class="mono clip delivery-url" title={endpointUrl}>
          {endpointUrl}
        </span>
        <Attempts delivery={delivery} />
        <span class={`pill ${TONES[status]}`}>{status}</span>
        <span class="delivery-next">{nextMs !== null && <NextAttempt atMs={nextMs} />}</span>
      </button>
      <ResendButton eventId={eventId} />
      {open && <AttemptList delivery={delivery} />}
    </li>
  );
}

/** The attempts to deliver, and the time of the next one. */
function AttemptList({
  delivery: { attempts, attemptCount, lastAnswer, eventId, objectId, nextMs },
}: {
  delivery: Delivery;
}) {
  const unknown = attemptCount - attempts.length;
  return (
    <ol class="attempts">
      {unknown > 0 && (
        <li class="attempt-next">
          {unknown} earlier {unknown === 1 ? 'attempt' : 'attempts'}
          {attempts.length === 0 && lastAnswer && `, last response: ${lastAnswer}`}
        </li>
      )}
      {attempts.map(({ attempt, atMs, answer, acknowledged }) => (
        <li key={attempt}>
          <span class="attempt-number">{attempt}</span>
          <time>{formatTime(atMs)}</time>
          <span class={acknowledged ? 'good-words' : 'bad-words'}>{answer}</span>
        </li>
      ))}
      {nextMs !== null && (
        <li class="attempt-next">
          <span class="attempt-number">{attemptCount + 1}</span>
          <time>{formatTime(nextMs)}</time>
          <NextAttempt atMs={nextMs} />
        </li>
      )}
      <li class="attempt-id">
        Event <span class="mono">{eventId}</span>
        {objectId && (
          <>
            {' '}
            Object <span class="mono">{objectId}</span>
          </>
        )}
      </li>
    </ol>
  );
}

/** One mark for each attempt, in order. */
function Attempts({ delivery: { attempts, attemptCount, status } }: { delivery: Delivery }) {
  const failed = attemptCount - (status === 'delivered' ? 1 : 0);
  return (
    <span class="attempt-marks" role="img" aria-label={`${attemptCount} attempts, ${failed} failed`}>
      {attempts.length === 0 && <span class="attempt-count">{attemptCount} ×</span>}
      {attempts.map(({ attempt, acknowledged }) => (
        <i key={attempt} class={acknowledged ? 'good' : 'bad'} />
      ))}
    </span>
  );
}

function NextAttempt({ atMs }: { atMs: number }) {
  const left = atMs - now.value;
  return <span role="timer">{left > 0 ? `retry in ${formatCountdown(left)}` : 'now'}</span>;
}

function ResendButton({ eventId }: { eventId: string }) {
  const { api } = useDashboard();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const answer = await api.post(`/dashboard/webhooks/${eventId}/resend`, { body: {} });
    problem.value = answer.ok ? undefined : answer.problem;
    setBusy(false);
  };
  return (
    <button class="again" disabled={busy} onClick={send}>
      <Icon name="again" size={14} />
      Resend
    </button>
  );
}
