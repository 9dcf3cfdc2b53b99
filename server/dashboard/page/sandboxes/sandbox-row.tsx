import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatDate, formatDuration, formatTime } from '../format.ts';
import { sandboxName } from '../link/sandbox-path.ts';
import { now, offset } from '../time.ts';
import type { ListedSandbox, SandboxCalls, ChosenSettings } from './sandbox-calls.ts';

/** What a sandbox does with what the specification does not have: each choice, and the settings that it sets. */
const CHOICES: Record<string, ChosenSettings> = {
  'Idempotency keys off': { idempotencyKeys: 'off', strict: 'off' },
  'Idempotency keys on': { idempotencyKeys: 'on', strict: 'off' },
  Strict: { strict: 'on' },
};

/** How fast its simulated cardholders and devices act. */
const PACES: Record<string, ChosenSettings> = {
  'Real pace': { pace: 'real' },
  'Instant pace': { pace: 'instant' },
};

/** The settings of a sandbox, which can be changed. Those of `default` are those of the server. */
function SettingsFields({ sandbox, calls }: { sandbox: ListedSandbox; calls: SandboxCalls }) {
  const { name, strict, idempotencyKeys, pace } = sandbox;
  const api = strict === 'on' ? 'Strict' : `Idempotency keys ${idempotencyKeys}`;
  const speed = pace === 'instant' ? 'Instant pace' : 'Real pace';
  if (name === 'default')
    return (
      <small>
        {api}, {speed.toLowerCase()}
      </small>
    );
  const update = (settings: ChosenSettings) => calls.update(name, settings);
  return (
    <>
      <ChoiceField label={`Settings of ${name}`} chosen={api} choices={CHOICES} update={update} />
      <ChoiceField label={`Pace of ${name}`} chosen={speed} choices={PACES} update={update} />
    </>
  );
}

interface ChoiceParts {
  label: string;
  chosen: string;
  choices: Record<string, ChosenSettings>;
  update(settings: ChosenSettings): void;
}

function ChoiceField({ label, chosen, choices, update }: ChoiceParts) {
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => update(choices[currentTarget.value]!)}
    >
      {Object.keys(choices).map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

interface RowParts {
  sandbox: ListedSandbox;
  calls: SandboxCalls;
  /** Prepares a fork of it. */
  fork(): void;
}

/** A sandbox: when it was created and expires, and buttons to open, fork and delete it. */
export function SandboxRow({ sandbox, calls, fork }: RowParts) {
  // Undefined until it was first asked.
  const [confirming, setConfirming] = useState<boolean>();
  const next = useRef<HTMLButtonElement>(null);
  // Before the next key: Enter typed at once answers the question.
  useLayoutEffect(() => {
    if (confirming !== undefined) next.current?.focus();
  }, [confirming]);
  const { name } = sandbox;
  const isThis = name === sandboxName(location.pathname);
  const open = async () => {
    const path = await calls.pathOf(name);
    if (path) location.assign(path);
  };
  if (confirming) {
    return (
      <li>
        <p>
          Delete <b>{name}</b> with everything in it?
        </p>
        <div class="sandbox-buttons">
          <button class="danger" onClick={() => calls.remove(name)}>
            Delete {name}
          </button>
          <button key="keep" ref={next} onClick={() => setConfirming(false)}>
            Keep it
          </button>
        </div>
      </li>
    );
  }
  return (
    <li aria-current={isThis ? 'true' : undefined}>
      <p>
        <b>{name}</b>
        {sandbox.from !== null && <span class="sandbox-from"> fork of {sandbox.from}</span>}
        <small>{lifetimeOf(sandbox, now.value - offset.value)}</small>
        <SettingsFields {...{ sandbox, calls }} />
      </p>
      <div class="sandbox-buttons">
        {!isThis && (
          <button aria-label={`Open ${name}`} onClick={open}>
            Open
          </button>
        )}
        <button aria-label={`Fork ${name}`} onClick={fork}>
          Fork
        </button>
        {name !== 'default' && (
          <button key="delete" ref={next} aria-label={`Delete ${name}`} onClick={() => setConfirming(true)}>
            Delete
          </button>
        )}
      </div>
    </li>
  );
}

/** @param realNowMs real time at the server */
function lifetimeOf({ createdTimestamp, expiresTimestamp }: ListedSandbox, realNowMs: number): string {
  const createdMs = createdTimestamp * 1000;
  const created = `Created ${formatDate(createdMs)} ${formatTime(createdMs)}`;
  if (expiresTimestamp === null) return `${created}, never expires`;
  const leftMs = Math.max(0, expiresTimestamp * 1000 - realNowMs);
  return `${created}, expires in ${formatDuration(leftMs)} without use`;
}
