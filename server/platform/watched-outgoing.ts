import { Fault } from '../../protocol/failures.ts';
import type { Outgoing } from './outgoing.ts';
import type { Inputs } from './inputs.ts';

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
