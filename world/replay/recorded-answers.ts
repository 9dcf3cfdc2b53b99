import { parseOutsideJson } from '../../protocol/outside-json.ts';
import type { Fetched, Outgoing, PostAnswer } from '../../server/platform/outgoing.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceAnswer } from '../../server/traces/trace-item.schema.ts';
import { mapTexts } from './bindings.ts';
import { Fault } from '../../protocol/failures.ts';

/** The answers of other servers in a trace that a world has not given yet. */
export interface AnswersLeft {
  /**
   * Answers requests as recorded: those to a URL about an event of one type in their order.
   * @param outgoing sends the requests beyond those, and those whose receiver is in this process
   */
  around(outgoing: Outgoing): Outgoing;
  /** Returns the same answers for another world. */
  copy(): AnswersLeft;
}

/** @param fill puts values in the place of placeholders */
export function answersOf({ items }: Trace, fill: (text: string) => string): AnswersLeft {
  const answers = new Map<string, TraceAnswer['answer'][]>();
  for (const item of items) {
    if (item.kind !== 'answer') continue;
    const key = keyOf(item.request, fill(item.url), item.sent);
    const some = answers.get(key) ?? [];
    answers.set(key, some);
    some.push(mapTexts(item.answer, fill));
  }
  return answersLeft(answers);
}

function answersLeft(answers: ReadonlyMap<string, TraceAnswer['answer'][]>): AnswersLeft {
  async function answerOr<T>(key: string, send: () => Promise<T>): Promise<T> {
    const answer = answers.get(key)?.shift();
    return answer === undefined ? send() : givenAnswer<T>(answer);
  }

  return {
    around: (outgoing) => ({
      post(request) {
        const key = keyOf('POST', request.url, jsonOf(request.body));
        return answerOr<PostAnswer>(key, () => outgoing.post(request));
      },
      get: (request) => answerOr<Fetched>(keyOf('GET', request.url, null), () => outgoing.get(request)),
      allowed: (url) => answerOr(keyOf('allowed', url, null), () => outgoing.allowed(url)),
      close: () => outgoing.close(),
    }),
    copy: () => answersLeft(new Map([...answers].map(([key, some]) => [key, [...some]]))),
  };
}

/** Returns the text itself where a fault has cut its JSON, as a trace does. */
function jsonOf(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    return text;
  }
}

function keyOf(request: TraceAnswer['request'], url: string, sent: unknown): string {
  const { eventType = '' } = (sent ?? {}) as { eventType?: string };
  return `${request} ${url} ${eventType}`;
}

/** Gives the answer that another server gave in a recording. @throws Fault `transport` when there was none */
async function givenAnswer<T>(answer: TraceAnswer['answer']): Promise<T> {
  if (typeof answer === 'object' && 'problem' in answer) throw new Fault('transport', answer.problem);
  return answer as T;
}

/** A request of the replay to another server, which has no answer yet. */
interface HeldRequest {
  request: TraceAnswer['request'];
  url: string;
  /** Text of a POST. */
  sent: string | undefined;
  /** Gives it the answer of the recording. */
  settle(answer: TraceAnswer['answer']): void;
}

/** Holds the requests of a replay to other servers until the recording says what came of them. */
export interface HeldRequests {
  outgoing: Outgoing;
  /** Oldest first. */
  held(): readonly HeldRequest[];
}

export function holdRequests(): HeldRequests {
  const held = new Set<HeldRequest & { giveUp(): void }>();

  function hold<T>(request: TraceAnswer['request'], url: string, sent?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const one = {
        request,
        url,
        sent,
        settle(answer: TraceAnswer['answer']) {
          held.delete(one);
          resolve(givenAnswer<T>(answer));
        },
        giveUp: () => reject(new Fault('internal', 'the replay has ended')),
      };
      held.add(one);
    });
  }

  return {
    held: () => [...held],
    outgoing: {
      post: ({ url, body }) => hold<PostAnswer>('POST', url, body),
      get: ({ url }) => hold<Fetched>('GET', url),
      allowed: (url) => hold<boolean>('allowed', url),
      async close() {
        for (const one of held) one.giveUp();
        held.clear();
      },
    },
  };
}
