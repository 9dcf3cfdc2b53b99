import { useRef, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { useOneAtATime } from '../parts/use-one-at-a-time.ts';
import type { ObjectAction } from './stored-object.ts';

type ActionCall = Pick<ObjectAction, 'name' | 'label' | 'method' | 'path' | 'accountId'>;

/** What came of the last request. */
export interface ActionOutcome {
  /** Name and label of the action. */
  name: string;
  label: string;
  /** Why it was refused, in words; undefined for one that succeeded. */
  problem: string | undefined;
  /** Id of the object in the reply; undefined for none. */
  id: string | undefined;
}

interface ActionRequests {
  /** Name of the action whose request is under way. */
  busy: string | undefined;
  outcome: ActionOutcome | undefined;
  /**
   * Sends a request, unless one is under way. Returns whether it succeeded.
   * @param refuse returns why the request may not be sent any more, in words; undefined when it may
   */
  send(action: ActionCall, body: object, refuse?: () => Promise<string | undefined>): Promise<boolean>;
}

/** Sends the requests of actions, one at a time. `onResponse` is called when the server has responded. */
export function useActionRequests(onResponse: () => void): ActionRequests {
  const { api, randomKey } = useDashboard();
  const [busy, setBusy] = useState<string | undefined>();
  const [outcome, setOutcome] = useState<ActionOutcome | undefined>();
  const oneAtATime = useOneAtATime();
  const unanswered = useRef<{ request: string; key: string } | undefined>(undefined);

  const sendOne: ActionRequests['send'] = async ({ name, label, method, path, accountId }, body, refuse) => {
    setBusy(name);
    const end = (problem: string | undefined, id?: string) => {
      setBusy(undefined);
      setOutcome({ name, label, problem, id });
      onResponse();
      return problem === undefined;
    };
    const refused = await refuse?.();
    if (refused !== undefined) return end(refused);
    const request = JSON.stringify([method, path, accountId, body]);
    // The request that got no response may have taken effect: sent again, it has the same key.
    const key = unanswered.current?.request === request ? unanswered.current.key : randomKey();
    const answer = await api.call<{ id?: string }>(method, path, {
      body,
      ...(accountId !== null && { accountId }),
      ...(method === 'POST' && { idempotencyKey: key }),
    });
    unanswered.current = !answer.ok && answer.status === 0 ? { request, key } : undefined;
    return answer.ok ? end(undefined, answer.body.id) : end(answer.problem);
  };
  const send: ActionRequests['send'] = async (...request) =>
    (await oneAtATime(() => sendOne(...request))) ?? false;
  return { busy, outcome, send };
}
