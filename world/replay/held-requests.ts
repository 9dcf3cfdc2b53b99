import { Fault } from '../../protocol/failures.ts';
import type { Fetched, Outgoing, PostAnswer } from '../../server/platform/outgoing.ts';
import type { TraceAnswer } from '../../server/traces/trace-item.schema.ts';
import { givenAnswer } from './answer-as-recorded.ts';

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
