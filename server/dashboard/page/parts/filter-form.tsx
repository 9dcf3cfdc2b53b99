import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FilterFormProps<Name extends string> {
  fields: readonly { name: Name; label: string; placeholder: string }[];
  filters: { [Member in Name]?: string };
  /** Fields before those that are typed. */
  children?: ComponentChildren;
  onFilter: (filters: { [Member in Name]?: string }) => void;
}

/** Text fields that filter a list when the form is submitted. A field without text fits all. */
export function FilterForm<Name extends string>({
  fields,
  filters,
  children,
  onFilter,
}: FilterFormProps<Name>) {
  const [values, setValues] = useState(filters);
  return (
    <form
      class="list-filters"
      role="search"
      aria-label="Filter the list"
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(values);
      }}
    >
      {children}
      {fields.map(({ name, label: text, placeholder }) => (
        <label class="field" key={name}>
          {text}
          <input
            class="mono"
            spellcheck={false}
            placeholder={placeholder}
            value={values[name] ?? ''}
            onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value.trim() })}
          />
        </label>
      ))}
      <button>Filter</button>
    </form>
  );
}
