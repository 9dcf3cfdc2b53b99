import { useEffect } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { FilterForm } from '../parts/filter-form.tsx';
import { useLiveList } from '../parts/live-list.ts';
import { navigate } from '../routing.ts';
import { ObjectDetail } from './object-detail.tsx';
import { kindOfFilters, objectListQuery, type ObjectFilters } from '../list-filters.ts';
import { OBJECT_KINDS, type ObjectKind, OBJECT_STATUSES } from './object-kinds.ts';
import { ObjectRow } from './object-row.tsx';
import type { ObjectSummary } from './stored-object.ts';

/** The objects of a kind, and one of them with its relations and its history. */
export function ObjectsView({ id, filters }: { id: string | undefined; filters: ObjectFilters }) {
  const { api, link } = useDashboard();
  const query = objectListQuery(filters);
  const { items, problem, loadOlder } = useLiveList<ObjectSummary>(api, {
    path: '/sandbox/objects',
    query,
    online: link.value.kind === 'online',
  });
  useEffect(() => {
    document.title = 'Objects · Tapbench';
  }, []);
  // With an object the title of the page is that of the object.
  const Title = id === undefined ? 'h1' : 'h2';
  return (
    <section class={id ? 'list-page with-detail' : 'list-page'} aria-labelledby="objects-title">
      <div class="list-side">
        <div class="view-head">
          <Title id="objects-title">Objects</Title>
          <FilterForm
            key={query}
            fields={fieldsOf(kindOfFilters(filters))}
            filters={filters}
            onFilter={(next) => navigate({ view: 'objects', filters: next })}
          >
            <KindField kind={kindOfFilters(filters)} />
          </FilterForm>
        </div>
        {problem !== undefined && <p class="quiet-note bad-words">{problem}</p>}
        {items?.length === 0 && problem === undefined && (
          <p class="quiet-note">No {OBJECT_KINDS[kindOfFilters(filters)].toLowerCase()} fit.</p>
        )}
        {items !== undefined && items.length > 0 && (
          <ul
            class="item-list object-list"
            aria-label={`${OBJECT_KINDS[kindOfFilters(filters)]}, newest first`}
          >
            {items.map((item) => (
              <ObjectRow key={item.id} item={item} isOpen={item.id === id} filters={filters} />
            ))}
          </ul>
        )}
        {loadOlder && (
          <button class="older" onClick={() => void loadOlder()}>
            Show older
          </button>
        )}
      </div>
      {id === undefined ? (
        <p class="quiet-note list-hint">Select an object to see its members, relations and history.</p>
      ) : (
        <ObjectDetail id={id} filters={filters} key={id} />
      )}
    </section>
  );
}

const FIELDS = [
  { name: 'account', label: 'Account', placeholder: 'ac_…' },
  { name: 'text', label: 'Text', placeholder: 'id, name, metadata' },
] as const;

/** The fields that filter the list of a kind: a status where it has one. */
function fieldsOf(kind: ObjectKind) {
  const options = OBJECT_STATUSES[kind];
  if (!options) return FIELDS;
  return [{ name: 'status', label: 'Status', placeholder: '', options } as const, ...FIELDS];
}

function KindField({ kind }: { kind: ObjectKind }) {
  return (
    <label class="field">
      Type
      <select
        value={kind}
        onChange={(event) => navigate({ view: 'objects', filters: { type: event.currentTarget.value } })}
      >
        {Object.entries(OBJECT_KINDS).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
