import { useEffect, useMemo, useState } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { addressOf } from '../places.ts';
import { go } from '../routing.ts';
import { MachinePanes } from '../timeline/machine-panes.tsx';
import { timeOfDay } from '../wording.ts';
import { kindOf, OBJECT_KINDS } from './object-kinds.ts';
import { seenObjects } from './seen-objects.ts';

/** The machines of the server's own objects, each by its id. */
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
        <SeenList current={id} />
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
      {id !== undefined && !kind && <p class="quiet-note">Nothing with a machine has an id like {id}.</p>}
      {id === undefined && (
        <p class="quiet-note objects-hint">
          Choose one on the left, or give an id: of a{' '}
          {OBJECT_KINDS.map(({ name }) => name.toLowerCase()).join(', ')}. It is drawn with where it stands
          and the way it took.
        </p>
      )}
    </section>
  );
}

function ObjectForm({ id }: { id: string | undefined }) {
  const [wanted, setWanted] = useState(id ?? '');
  const trimmed = wanted.trim();
  return (
    <form
      class="object-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (kindOf(trimmed)) go({ view: 'objects', id: trimmed });
      }}
    >
      <label class="field">
        Id
        <input
          class="mono"
          placeholder="ps_… sub_… dsp_… po_…"
          spellcheck={false}
          value={wanted}
          aria-invalid={trimmed !== '' && !kindOf(trimmed)}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </label>
      <button disabled={!kindOf(trimmed)}>Show</button>
    </form>
  );
}

function SeenList({ current }: { current: string | undefined }) {
  const { state } = useDashboard();
  const seen = useMemo(() => seenObjects(state), [state]).value;
  if (seen.length === 0) return null;
  return (
    <nav aria-label="Latest of the terminals" class="seen">
      <h2>Latest of the terminals</h2>
      <ul>
        {seen.map(({ id, by, atMs }) => (
          <li key={id}>
            <a href={addressOf({ view: 'objects', id })} aria-current={id === current ? 'true' : undefined}>
              <span class="mono clip">{id}</span>
              <span class="seen-by">
                {by} · {timeOfDay(atMs)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
