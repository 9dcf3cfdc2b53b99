import { useRef, useState } from 'preact/hooks';
import { sandboxName } from '../link/sandbox-path.ts';
import { Icon } from '../parts/icons.tsx';
import { useDismiss } from '../parts/use-dismiss.ts';
import { SandboxList } from './sandbox-list.tsx';

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
