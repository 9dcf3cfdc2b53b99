/** Names and values, such as headers, one below the other; nothing when there are none. */
export function HeaderFields({ fields }: { fields: object }) {
  const entries = Object.entries(fields);
  if (entries.length === 0) return null;
  return (
    <dl class="header-fields mono">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
