import { useEffect, useMemo, useState } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { hrefOf } from '../route.ts';
import { navigate } from '../routing.ts';
import { MachinePanes } from '../timeline/machine-panes.tsx';
import { formatTime } from '../format.ts';
import { kindOf, OBJECT_KINDS } from './object-kinds.ts';
import { recentObjects } from './recent-objects.ts';

/** The state machine of one of the server's objects, selected by id. */
export function ObjectsView({ id }: { id: string | undefined }) {
  const kind = id === undefined ? undefined : kindOf(id);
  useWatch(id !== undefined && kind ? { kind: 'object', id } : null);
  useEffect(() => {
    document.title = `${kind?.name ?? 'Objects'} · Tapbench`;
  }, [kind]);
  return (
    <section class={id ? 'objects with-object' : 'objects'} aria-labelledby="objects-title">
      <div class="objects-side">
        <h1 id="objects-title">Objects</h1>
        <ObjectForm id={id} />
        <RecentList current={id} />
      </div>
      {id !== undefined && kind && (
        <div class="object-main">
          <header class="object-head">
            <h2>{kind.name}</h2>
            <span class="mono clip">{id}</span>
            <CopyButton text={id} what="id" />
          </header>
          <MachinePanes actionId={null} now={{ state: null, deadlineMs: null }} over={false} />
        </div>
      )}
      {id !== undefined && !kind && (
        <p class="quiet-note">No object with a state machine has an id like {id}.</p>
      )}
      {id === undefined && (
        <p class="quiet-note objects-hint">
          Select a payment session on the left, or enter the id of an object:{' '}
          {OBJECT_KINDS.map(({ name }) => name.toLowerCase()).join(', ')}. The chart shows its current state
          and its history.
        </p>
      )}
    </section>
  );
}

function ObjectForm({ id }: { id: string | undefined }) {
  const [text, setText] = useState(id ?? '');
  const trimmed = text.trim();
  return (
    <form
      class="object-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (kindOf(trimmed)) navigate({ view: 'objects', id: trimmed });
      }}
    >
      <label class="field">
        Id
        <input
          class="mono"
          placeholder="ps_… sub_… dsp_… po_…"
          spellcheck={false}
          value={text}
          aria-invalid={trimmed !== '' && !kindOf(trimmed)}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button disabled={!kindOf(trimmed)}>Show</button>
    </form>
  );
}

function RecentList({ current }: { current: string | undefined }) {
  const { state } = useDashboard();
  const recent = useMemo(() => recentObjects(state), [state]).value;
  if (recent.length === 0) return null;
  return (
    <nav aria-label="Recent payment sessions" class="recent">
      <h2>Recent payment sessions</h2>
      <ul>
        {recent.map(({ id, terminalName, atMs }) => (
          <li key={id}>
            <a href={hrefOf({ view: 'objects', id })} aria-current={id === current ? 'true' : undefined}>
              <span class="mono clip">{id}</span>
              <span class="recent-terminal">
                {terminalName} · {formatTime(atMs)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
