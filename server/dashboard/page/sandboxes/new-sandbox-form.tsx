import { useLayoutEffect, useRef, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button.tsx';
import type { ListedSandbox, NewSandbox, SandboxCalls } from './sandbox-calls.ts';

interface FormParts {
  calls: SandboxCalls;
  items: readonly ListedSandbox[];
  /** Name of the sandbox to fork; empty for a new one. */
  from: string;
  setFrom: Dispatch<StateUpdater<string>>;
}

/** Creates a sandbox, empty or as a fork, and shows its key once. */
export function NewSandboxForm({ calls, items, from, setFrom }: FormParts) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<NewSandbox>();
  const field = useRef<HTMLInputElement>(null);
  // Before the next key: what is typed at once is the name.
  useLayoutEffect(() => {
    if (from !== '') field.current?.focus();
  }, [from]);

  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const created = await calls.create({ ...(name && { name }), ...(from && { from }) });
    setMade(created);
    if (!created) return;
    // What was typed or chosen since then is for the next one.
    setName((now) => (now === name ? '' : now));
    setFrom((now) => (now === from ? '' : now));
  };
  return (
    <>
      <form class="sandbox-form" onSubmit={create}>
        <input
          ref={field}
          aria-label="Name of the new sandbox"
          placeholder="Name (optional)"
          pattern="[a-z0-9\-]{1,40}"
          title="Lower-case letters, digits and hyphens"
          spellcheck={false}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <select aria-label="Begins as" value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
          <option value="">Empty</option>
          {items.map((sandbox) => (
            <option key={sandbox.name} value={sandbox.name}>
              Fork of {sandbox.name}
            </option>
          ))}
        </select>
        <button class="primary">Create</button>
      </form>
      {made && (
        <p class="sandbox-made" role="status">
          <span>
            <b>{made.name}</b> was created. Its secret key is shown only here.
          </span>
          <CopyButton text={made.secretKey} what={`secret key of ${made.name}`} />
        </p>
      )}
    </>
  );
}
