import { useRef, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { createRequestKeys, useOneAtATime } from '../link/sent-once.ts';
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
  const keys = useRef(createRequestKeys(randomKey));

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
    const answer = await keys.current(request, (idempotencyKey) =>
      api.call<{ id?: string }>(method, path, {
        body,
        ...(accountId !== null && { accountId }),
        ...(method === 'POST' && { idempotencyKey }),
      }),
    );
    return answer.ok ? end(undefined, answer.body.id) : end(answer.problem);
  };
  const send: ActionRequests['send'] = async (...request) =>
    (await oneAtATime(() => sendOne(...request))) ?? false;
  return { busy, outcome, send };
}
