import { monotonicMs } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import { VERSION } from '../../../protocol/version.ts';
import { knownSecrets } from '../mask-secrets.ts';
import type { PostAnswer } from '../outgoing.ts';
import type { Services } from '../services.ts';
import { attemptLine, loggedReply } from './attempt-log.ts';
import type { AttemptRow } from './delivery.records.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

/** How long a receiver has to answer, real time (docs/choices.md, Webhooks). */
const ATTEMPT_TIMEOUT_MS = 10_000;

/** What came of an attempt. */
export interface Attempt {
  /** Receivers acknowledge with any 2xx (docs/choices.md, Webhooks). */
  acknowledged: boolean;
  /** The HTTP status, or why there was none. */
  text: string;
  /** Its line in the log of the delivery. */
  line: string;
}

interface Sent extends Pick<AttemptRow, 'url' | 'body' | 'secret'> {
  /** What is sent in place of the text that is signed. */
  sentBody?: string;
  /** Real time over which it is sent. */
  bodyMs?: number;
  /** Whether its signature is left out. */
  isUnsigned?: boolean;
}

type Parts = Pick<Services, 'clock' | 'observers' | 'outgoing' | 'realClock' | 'settings'>;

/** Sends the recorded text, signed. No answer is an answer too; only a fault of our own is thrown. */
export async function sendAttempt(
  { clock, observers, outgoing, realClock, settings }: Parts,
  { url, body, secret, sentBody = body, bodyMs, isUnsigned = false }: Sent,
  { sentAgain }: { sentAgain: boolean },
): Promise<Attempt> {
  const { sandbox = DEFAULT_SANDBOX } = settings;
  const headers = {
    'content-type': 'application/json',
    'user-agent': `tapbench/${VERSION}`,
    ...(!isUnsigned && { [SIGNATURE_HEADER]: signatureOf(secret, body) }),
    // Forks call the endpoints of their source with the same secrets.
    ...(sandbox !== DEFAULT_SANDBOX && { 'tapbench-sandbox': sandbox }),
  };
  const begun = { atMs: clock.nowMs(), realMs: realClock.nowMs() };
  const beganMs = monotonicMs();
  const slowly = bodyMs === undefined ? {} : { bodyMs };
  const timeoutMs = ATTEMPT_TIMEOUT_MS + (bodyMs ?? 0);
  const answer = await answerOf(outgoing.post({ url, headers, body: sentBody, ...slowly, timeoutMs }));
  const elapsedMs = Math.round((monotonicMs() - beganMs) * 10) / 10;
  const sent = { ...begun, elapsedMs, sentAgain, headers };
  if ('problem' in answer) {
    const { problem } = answer;
    return { acknowledged: false, text: problem, line: attemptLine({ ...sent, reply: null, problem }) };
  }
  const { status } = answer;
  // What the endpoint sent must not fail the delivery that it acknowledges.
  const log = observers.guard('replies in the log of deliveries', loggedReply);
  const reply = log(answer, knownSecrets(settings)) ?? { status, headers: {}, body: '', isCut: true };
  return {
    acknowledged: status >= 200 && status < 300,
    text: String(status),
    line: attemptLine({ ...sent, reply, problem: null }),
  };
}

async function answerOf(answer: Promise<PostAnswer>): Promise<PostAnswer | { problem: string }> {
  try {
    return await answer;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'transport') throw thrown;
    return { problem: thrown.message };
  }
}
