import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { Fault } from '../../protocol/failures.ts';
import type { Observers } from './observers.ts';
import type { Fetched, PostAnswer, Outgoing } from './outgoing.ts';

/** A request as it arrived, with its secrets. */
export interface ArrivedRequest {
  method: string;
  /** Path with its query. */
  url: string;
  headers: IncomingHttpHeaders;
}

/** A form with a file. */
export interface ReceivedForm {
  body: unknown;
  file: { name: string; contentType: string; bytes: Uint8Array } | undefined;
}

/** A request with its answer. */
export interface AnsweredRequest {
  /** Null when the connection was closed before the answer. */
  status: number | null;
  headers: OutgoingHttpHeaders;
  /** Text of the body, or its form; undefined without one, or when it was not read. */
  body: string | ReceivedForm | undefined;
  /** Text of the answer; undefined for a file or a page. */
  answer: string | undefined;
}

/** What came of a request to another server, which `request` says. */
export type OutgoingAnswer = { url: string } & (
  | { request: 'POST'; sent: string; answer: PostAnswer | { problem: string } }
  | { request: 'GET'; answer: Fetched | { problem: string } }
  /** Whether its host may be called. */
  | { request: 'allowed'; answer: boolean }
);

/** Receives what reaches a sandbox from outside, with its secrets and card numbers. */
interface InputWatcher {
  /** Returns the function that is called with the answer; undefined for a request that is not watched. */
  requestArrived(request: ArrivedRequest): ((answered: AnsweredRequest) => void) | undefined;
  /** Something happened to a simulated terminal that no request asked for. */
  actPerformed(terminalId: string, act: SimulationAct): void;
  /** Another server answered, or could not be reached. Not called for a request that the end of the process broke off. */
  outgoingAnswered(answer: OutgoingAnswer): void;
}

/** Notifies watchers of what reaches a sandbox from outside, unmasked. Only what writes masked files may watch. */
export interface Inputs extends InputWatcher {
  /**
   * Returns the function that stops watching.
   * @param observer name of the watcher, for the log; what it throws does not reach what it watches
   * @param onFailure called when it has thrown, and something is missing in what it recorded
   */
  watch(observer: string, watcher: InputWatcher, onFailure?: () => void): () => void;
}

export function createInputs(observers: Pick<Observers, 'guard'>): Inputs {
  const watchers = new Set<InputWatcher>();
  return {
    watch(observer, watcher, onFailure) {
      const guarded = guardedWatcher(watcher, (observe) => observers.guard(observer, observe, onFailure));
      watchers.add(guarded);
      return () => void watchers.delete(guarded);
    },
    requestArrived(request) {
      if (watchers.size === 0) return undefined;
      const onAnswer = [...watchers].flatMap((watcher) => watcher.requestArrived(request) ?? []);
      if (onAnswer.length === 0) return undefined;
      return (answered) => onAnswer.forEach((listener) => listener(answered));
    },
    actPerformed(terminalId, act) {
      for (const watcher of watchers) watcher.actPerformed(terminalId, act);
    },
    outgoingAnswered(answer) {
      for (const watcher of watchers) watcher.outgoingAnswered(answer);
    },
  };
}

type Guard = <Args extends unknown[], Result>(
  observe: (...args: Args) => Result,
) => (...args: Args) => Result | undefined;

function guardedWatcher(watcher: InputWatcher, guard: Guard): InputWatcher {
  return {
    requestArrived: guard((request) => {
      const onAnswer = watcher.requestArrived(request);
      return onAnswer && guard(onAnswer);
    }),
    actPerformed: guard((...act) => watcher.actPerformed(...act)),
    outgoingAnswered: guard((answer) => watcher.outgoingAnswered(answer)),
  };
}

/** Returns a client for other servers that notifies the watchers of a sandbox of each answer, before the sandbox gets it. */
export function watchedOutgoing(
  outgoing: Outgoing,
  { outgoingAnswered }: Pick<Inputs, 'outgoingAnswered'>,
): Outgoing {
  return {
    async post(request) {
      const { url, body: sent } = request;
      return watched(outgoing.post(request), (answer) =>
        outgoingAnswered({ request: 'POST', url, sent, answer }),
      );
    },
    async get(request) {
      const { url } = request;
      return watched(outgoing.get(request), (answer) => outgoingAnswered({ request: 'GET', url, answer }));
    },
    async allowed(url) {
      const answer = await outgoing.allowed(url);
      outgoingAnswered({ request: 'allowed', url, answer });
      return answer;
    },
    close: () => outgoing.close(),
  };
}

async function watched<T>(
  answering: Promise<T>,
  notify: (answer: T | { problem: string }) => void,
): Promise<T> {
  try {
    const answer = await answering;
    notify(answer);
    return answer;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'transport') notify({ problem: thrown.message });
    throw thrown;
  }
}
