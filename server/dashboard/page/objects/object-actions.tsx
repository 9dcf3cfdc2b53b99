import { useState, useRef } from 'preact/hooks';
import { secondsUntil } from '../clock/clock-menu.tsx';
import { useDashboard } from '../dashboard.ts';
import { formatDuration } from '../format.ts';
import type { PageApi } from '../link/api.ts';
import { ObjectLink } from '../parts/names.tsx';
import { now } from '../time.ts';
import { ActionForm } from './action-form.tsx';
import type { ObjectAction, ObjectDetails } from './stored-object.ts';
import { createRequestKeys, useOneAtATime } from '../link/sent-once.ts';

interface ObjectActionsProps {
  found: ObjectDetails;
  /** Called when the server has responded to an action. */
  onResponse: () => void;
}

/** What can be done with an object in its present state, and what came of the last action. */
export function ObjectActions({ found: { id, type, actions, nextMoment }, onResponse }: ObjectActionsProps) {
  const { api } = useDashboard();
  const [openName, setOpenName] = useState<string | undefined>();
  const { busy, outcome, send } = useActionRequests(onResponse);
  const open = actions.find(({ name }) => name === openName);
  const problemOf = (name: string) => (outcome?.name === name ? outcome.problem : undefined);
  if (actions.length === 0 && nextMoment === null && outcome === undefined) return null;

  const choose = (action: ObjectAction) => {
    if (action.fields.length === 0)
      void send(action, action.body, type === 'action' ? () => refuseEnded(api, id) : undefined);
    else setOpenName(action.name === openName ? undefined : action.name);
  };
  const sendForm = async (action: ObjectAction, body: object) => {
    if (await send(action, body)) setOpenName(undefined);
  };
  return (
    <section class="detail-section" aria-label="Actions">
      <h2>Actions</h2>
      <div class="object-action-buttons">
        {actions.map((action) => (
          <button
            key={action.name}
            disabled={busy !== undefined}
            aria-busy={busy === action.name}
            aria-expanded={action.fields.length > 0 ? action === open : undefined}
            onClick={() => choose(action)}
          >
            {action.fields.length > 0 ? `${action.label}…` : action.label}
          </button>
        ))}
        {nextMoment !== null && (
          <AdvanceButton
            moment={nextMoment}
            busy={busy !== undefined}
            onAdvance={(seconds) => void send(ADVANCE, { seconds })}
          />
        )}
      </div>
      {open && (
        <ActionForm
          key={open.name}
          action={open}
          busy={busy !== undefined}
          problem={problemOf(open.name)}
          onSend={(body) => void sendForm(open, body)}
          onClose={() => setOpenName(undefined)}
        />
      )}
      <Outcome outcome={outcome?.name === open?.name ? undefined : outcome} ownId={id} />
    </section>
  );
}

/**
 * Returns why an action of a terminal cannot be cancelled, in words; undefined when it can. The request names the
 * terminal alone: it would cancel an action that has begun since.
 */
async function refuseEnded(api: PageApi, id: string): Promise<string | undefined> {
  const answer = await api.answer('GET /sandbox/objects/{id}', { params: { id } });
  if (!answer.ok) return answer.problem;
  if (answer.body.actions.length > 0) return undefined;
  return 'this action has ended, and no other one of the terminal was cancelled';
}

const ADVANCE = {
  name: 'advance',
  label: 'Advance the clock',
  method: 'POST',
  path: '/sandbox/clock/advance',
  accountId: null,
} as const;

interface AdvanceButtonProps {
  moment: NonNullable<ObjectDetails['nextMoment']>;
  busy: boolean;
  onAdvance: (seconds: number) => void;
}

/** Advances the clock of the sandbox to what happens to the object next, at most a year. */
function AdvanceButton({ moment: { what, timestamp }, busy, onAdvance }: AdvanceButtonProps) {
  const seconds = secondsUntil(timestamp * 1000, now.value);
  return (
    <button disabled={busy} onClick={() => onAdvance(secondsUntil(timestamp * 1000, now.peek()))}>
      Advance {formatDuration(seconds * 1000)}: {what}
    </button>
  );
}

/** What came of an action without an open form. */
function Outcome({ outcome, ownId }: { outcome: ActionOutcome | undefined; ownId: string }) {
  const { label, problem, id } = outcome ?? {};
  return (
    <p class={`object-outcome ${problem === undefined ? 'quiet-line' : 'bad-words'}`} role="status">
      {outcome && (problem === undefined ? `${label}: done. ` : `${label}: ${problem}`)}
      {id !== undefined && id !== ownId && <ObjectLink id={id} />}
    </p>
  );
}

type ActionCall = Pick<ObjectAction, 'name' | 'label' | 'method' | 'path' | 'accountId'>;

/** What came of the last request. */
interface ActionOutcome {
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
function useActionRequests(onResponse: () => void): ActionRequests {
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
