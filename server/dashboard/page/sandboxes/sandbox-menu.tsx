import {
  useRef,
  useState,
  useEffect,
  useMemo,
  useLayoutEffect,
  type Dispatch,
  type StateUpdater,
} from 'preact/hooks';
import { sandboxName } from '../link/sandbox-path.ts';
import { Icon } from '../parts/icons.tsx';
import { useDismiss } from '../parts/use-dismiss.ts';
import { useDashboard } from '../dashboard.ts';
import {
  createSandboxCalls,
  type SandboxCalls,
  type ListedSandbox,
  type NewSandbox,
} from './sandbox-calls.ts';
import { SandboxRow } from './sandbox-row.tsx';
import { CopyButton } from '../parts/copy-button.tsx';

/** The name of the page's sandbox, and the list of all of them. */
export function SandboxMenu() {
  const name = sandboxName(location.pathname);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useDismiss(place, open, () => setOpen(false));
  return (
    <div class="sandboxes" ref={place}>
      <button
        class="sandbox-face"
        aria-label={`Sandbox ${name}. Show all`}
        title={`Sandbox ${name}`}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(!open)}
      >
        <Icon name="layers" />
        <span class="sandbox-name">{name}</span>
      </button>
      {open && (
        <div class="popover sandbox-popover" role="dialog" aria-label="Sandboxes">
          {name === 'default' ? <SandboxList /> : <OneSandbox name={name} />}
        </div>
      )}
    </div>
  );
}

/** Its token is for this sandbox alone, so the page cannot list others. */
function OneSandbox({ name }: { name: string }) {
  return (
    <>
      <p>
        This is the sandbox <b>{name}</b>. Its dashboard shows nothing of others.
      </p>
      <p class="hint">
        The <a href="/">dashboard of the sandbox default</a> lists, creates and deletes sandboxes.
      </p>
    </>
  );
}

/** All sandboxes of the server, with what can be done with each. */
function SandboxList() {
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
  const enter = (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
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

interface FormParts {
  calls: SandboxCalls;
  items: readonly ListedSandbox[];
  /** Name of the sandbox to fork; empty for a new one. */
  from: string;
  setFrom: Dispatch<StateUpdater<string>>;
}

/** Creates a sandbox, empty or as a fork, and shows its key once. */
function NewSandboxForm({ calls, items, from, setFrom }: FormParts) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<NewSandbox>();
  const field = useRef<HTMLInputElement>(null);
  // Before the next key: what is typed at once is the name.
  useLayoutEffect(() => {
    if (from !== '') field.current?.focus();
  }, [from]);

  const create = async (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
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
