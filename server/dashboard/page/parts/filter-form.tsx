import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FilterField<Name extends string> {
  name: Name;
  label: string;
  placeholder: string;
  /** The values to choose from; any text without. */
  options?: readonly string[] | undefined;
}

interface FilterFormProps<Name extends string> {
  fields: readonly FilterField<Name>[];
  filters: { [Member in Name]?: string };
  /** Fields before those that are typed. */
  children?: ComponentChildren;
  onFilter: (filters: { [Member in Name]?: string }) => void;
}

/** Fields that filter a list: a text when the form is submitted, a choice at once. An empty field fits all. */
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
      {fields.map(({ name, label: text, placeholder, options }) => (
        <label class="field" key={name}>
          {text}
          {options ? (
            <select
              value={values[name] ?? ''}
              onChange={(event) => onFilter({ ...values, [name]: event.currentTarget.value })}
            >
              <option value="">Any</option>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ) : (
            <input
              class="mono"
              spellcheck={false}
              placeholder={placeholder}
              value={values[name] ?? ''}
              onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value.trim() })}
            />
          )}
        </label>
      ))}
      <button>Filter</button>
    </form>
  );
}
