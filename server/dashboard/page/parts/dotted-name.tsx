/** Returns the name of an event type, which may wrap after its dots and underscores, not within a word. */
export function EventType({ name }: { name: string }) {
  const parts = name.split(/(?<=[._])/);
  return (
    <span class="event-type">
      {parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}
    </span>
  );
}
