import { useEffect, useMemo, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { NewSandboxForm } from './new-sandbox-form.tsx';
import { createSandboxCalls, type SandboxCalls } from './sandbox-calls.ts';
import { SandboxRow } from './sandbox-row.tsx';

/** All sandboxes of the server, with what can be done with each. */
export function SandboxList() {
  const { api } = useDashboard();
  const calls = useMemo(() => createSandboxCalls(api), [api]);
  const [from, setFrom] = useState('');
  useEffect(() => void calls.load(), [calls]);

  const items = calls.items.value;
  return (
    <>
      {items && (
        <>
          <ul class="sandbox-list">
            {items.map((sandbox) => (
              <SandboxRow key={sandbox.name} {...{ sandbox, calls }} fork={() => setFrom(sandbox.name)} />
            ))}
          </ul>
          <NewSandboxForm {...{ calls, items, from, setFrom }} />
        </>
      )}
      <p class="bad-words" role="alert">
        {calls.problem.value}
      </p>
      {calls.hostKeyWanted.value && <HostKeyForm calls={calls} />}
    </>
  );
}

/** Prompts for the key that a server with `HOST_KEY` requires. */
function HostKeyForm({ calls }: { calls: SandboxCalls }) {
  const enter = (event: SubmitEvent) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get('key')).trim();
    void calls.enterHostKey(key);
  };
  return (
    <form class="sandbox-form" onSubmit={enter}>
      <input
        name="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-label="Host key"
        placeholder="Host key"
      />
      <button>Show sandboxes</button>
    </form>
  );
}
