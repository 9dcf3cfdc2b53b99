import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ShopCall } from '../../../world/shop-calls.ts';

const PAUSE_MS = 50;
const REPLY_MS_MAX = 30_000;

interface CustomersParts {
  /** The port on which the process of the shop listens. */
  port: number;
  clock: Clock;
  /** Resolves when the shop has nothing left to do, or `goesOn` returns false. */
  quiet(goesOn: () => boolean): Promise<void>;
}

/** Those who call a shop. */
interface Customers {
  /** Whether the shop has replied to all calls. */
  readonly isDone: boolean;
  /** Why a call failed. */
  readonly problem: string | undefined;
  /** Sends the calls while `goesOn` returns true: each again while there is no reply. */
  send(goesOn: () => boolean): Promise<void>;
}

/** Creates those who call a shop. Calls that are `beside` the one before are sent with it, others when the shop is quiet. */
export function createCustomers(
  calls: readonly ShopCall[],
  { port, clock, quiet }: CustomersParts,
): Customers {
  let left = calls.length;
  const problems = new Map<ShopCall, string>();

  async function post(call: ShopCall): Promise<void> {
    const { path, body } = call;
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.timeout(REPLY_MS_MAX),
    });
    const problem = reply.ok ? undefined : `POST ${path} got ${reply.status}: ${await reply.text()}`;
    left -= 1;
    if (problem === undefined) problems.delete(call);
    else problems.set(call, problem);
  }

  async function postUntilReply(call: ShopCall, goesOn: () => boolean): Promise<void> {
    problems.set(call, `nothing replied to POST ${call.path}`);
    for (let isReplied = false; !isReplied && goesOn();)
      isReplied = await post(call).then(
        () => true,
        () => delay(clock, PAUSE_MS).then(() => false),
      );
  }

  return {
    get isDone() {
      return left === 0;
    },
    get problem() {
      return [...problems.values()][0];
    },
    async send(goesOn) {
      for (const [index, group] of groupsOf(calls).entries()) {
        if (index > 0) await quiet(goesOn);
        await Promise.all(group.map((call) => postUntilReply(call, goesOn)));
      }
    },
  };
}

/** Returns the calls in groups that are sent together. */
function groupsOf(calls: readonly ShopCall[]): ShopCall[][] {
  const groups: ShopCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (call.beside && last) last.push(call);
    else groups.push([call]);
  }
  return groups;
}
