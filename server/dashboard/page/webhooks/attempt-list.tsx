import type { Delivery, DeliveryAttempt } from '../../view.ts';
import { formatMilliseconds } from '../format.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { HeaderFields } from '../parts/sent-content.tsx';
import { timeText } from './endpoint-list.tsx';

/** What each attempt of a delivery sent and got, the latest first and open. */
export function AttemptList({ delivery: { attemptLog, attempts } }: { delivery: Delivery }) {
  const missing = attempts - attemptLog.length;
  return (
    <section class="detail-section" aria-labelledby="attempts-title">
      <h2 id="attempts-title">
        {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
      </h2>
      {attempts === 0 && <p class="quiet-line">Nothing was sent yet.</p>}
      {attemptLog.toReversed().map((attempt, index) => (
        <Attempt key={attempt.number} attempt={attempt} open={index === 0} />
      ))}
      {missing > 0 && (
        <p class="quiet-line">
          What {missing === 1 ? 'the earliest attempt' : `the ${missing} earliest attempts`} sent and got is
          not stored.
        </p>
      )}
    </section>
  );
}

function Attempt({ attempt, open }: { attempt: DeliveryAttempt; open: boolean }) {
  const { number, createdTimestamp, sentTimestamp, elapsedMs, sentAgain, headers, reply, problem } = attempt;
  return (
    <details class="attempt" open={open}>
      <summary>
        <b>{number}</b>
        <AttemptResult attempt={attempt} />
        <span>{formatMilliseconds(elapsedMs)}</span>
        {sentAgain && <span>sent again</span>}
        <time title="UTC">{timeText(createdTimestamp)}</time>
      </summary>
      {sentTimestamp !== createdTimestamp && (
        <p class="quiet-line">Real time: {timeText(sentTimestamp)} UTC</p>
      )}
      {problem !== null && <p class="bad-words">{problem}</p>}
      <h3>Headers sent</h3>
      <HeaderFields fields={headers} />
      {reply !== null && (
        <>
          <h3>Reply</h3>
          <HeaderFields fields={reply.headers} />
          <ReplyBody reply={reply} />
        </>
      )}
    </details>
  );
}

/** The status of the reply, or that there was none. */
export function AttemptResult({ attempt: { reply } }: { attempt: DeliveryAttempt }) {
  if (reply === null) return <span class="pill bad">no reply</span>;
  const isAcknowledged = reply.status >= 200 && reply.status < 300;
  return <span class={`pill ${isAcknowledged ? 'good' : 'bad'}`}>{reply.status}</span>;
}

function ReplyBody({ reply: { body, isCut } }: { reply: NonNullable<DeliveryAttempt['reply']> }) {
  if (body === '') return <p class="quiet-line">No body.</p>;
  return (
    <>
      <div class="json">
        <CopyButton text={body} what="reply" />
        <pre tabIndex={0}>{body}</pre>
      </div>
      {isCut && <p class="quiet-line">The body was longer; its beginning is stored.</p>}
    </>
  );
}
