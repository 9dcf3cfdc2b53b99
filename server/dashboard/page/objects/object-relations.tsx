import { DottedName, ObjectLink } from '../parts/names.tsx';
import { hrefOf } from '../route.ts';
import { isObjectKind, nameOfOne, OBJECT_KINDS } from './object-kinds.ts';
import { amountOf } from './object-row.tsx';
import type { ObjectDetails } from './stored-object.ts';

/** The objects that an object names, and those that name it. */
export function Relations({ found: { id, names, namedBy } }: { found: ObjectDetails }) {
  if (names.length === 0 && namedBy.length === 0) return null;
  return (
    <section class="detail-section" aria-label="Relations">
      <h2>Relations</h2>
      {names.length > 0 && (
        <dl class="detail-facts">
          {names.map(({ member, id: named }) => (
            <div key={`${member} ${named}`}>
              <dt>{isObjectKind(member) ? nameOfOne(member) : <DottedName name={member} />}</dt>
              <dd class="mono">
                <ObjectLink id={named} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {namedBy.map(({ type, items, hasMore }) => (
        <div key={type} class="object-related">
          <h3>{OBJECT_KINDS[type]}</h3>
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <ObjectLink id={item.id} />
                <span class="quiet-line">
                  {[item.label, amountOf(item), item.status].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          {hasMore && <a href={hrefOf({ view: 'objects', filters: { type, object: id } })}>Show all</a>}
        </div>
      ))}
    </section>
  );
}
