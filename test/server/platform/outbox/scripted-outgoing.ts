import type { Clock } from '../../../../protocol/clock.ts';
import { Fault } from '../../../../protocol/failures.ts';
import type { Outgoing, OutgoingRequest, PostAnswer } from '../../../../server/platform/outgoing.ts';

/** A status; no answer, at once or when the test lets go; or that the way out was closed by ourselves. */
type Scripted = number | 'refuse' | 'hang' | 'closed';

interface Sent extends OutgoingRequest {
  path: string;
  atMs: number;
}

/** Receivers by the path of their url: what each is sent, and what it answers. */
export interface ScriptedOutgoing extends Outgoing {
  sent: Sent[];
  /** Attempts that wait for an answer. */
  hanging: number;
  /** What a path answers, one after the other, the last for ever; 200 when nothing is said. */
  answers(path: string, ...script: Scripted[]): void;
  /** Ends every attempt that hangs, as its timeout would. */
  releaseAll(): void;
  /** Headers and body of every answer. */
  reply: Omit<PostAnswer, 'status'>;
  /** Urls that lead to a private address. */
  privateUrls: Set<string>;
}

export function scriptedOutgoing(clock: Clock): ScriptedOutgoing {
  const scripts = new Map<string, Scripted[]>();
  const waiting = new Set<() => void>();

  function nextOf(path: string): Scripted {
    const script = scripts.get(path) ?? [200];
    return script.length > 1 ? script.shift()! : script[0]!;
  }

  function noAnswer(reason: string): Fault {
    return new Fault('transport', `no answer (${reason})`);
  }

  return {
    sent: [],
    get hanging() {
      return waiting.size;
    },
    reply: { headers: {}, body: '', isCut: false },
    privateUrls: new Set(),
    answers: (path, ...script) => void scripts.set(path, script),
    releaseAll() {
      for (const release of waiting) release();
    },
    post(request) {
      const path = new URL(request.url).pathname;
      this.sent.push({ ...request, path, atMs: clock.nowMs() });
      const answer = nextOf(path);
      if (typeof answer === 'number') return Promise.resolve({ status: answer, ...this.reply });
      if (answer === 'refuse') return Promise.reject(noAnswer('connect ECONNREFUSED'));
      if (answer === 'closed') return Promise.reject(new Fault('internal', 'closed'));
      return new Promise((_, reject) => {
        const release = () => {
          waiting.delete(release);
          reject(noAnswer('timed out'));
        };
        waiting.add(release);
      });
    },
    get: () => Promise.reject(noAnswer('nothing is fetched here')),
    async allowed(url) {
      return !this.privateUrls.has(url);
    },
    close: async () => undefined,
  };
}
