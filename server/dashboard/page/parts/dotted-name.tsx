/** Returns a name such as `Terminal.action_updated`, which may wrap after its dots and underscores, not within a word. */
export function DottedName({ name }: { name: string }) {
  const parts = name.split(/(?<=[._])/);
  return (
    <span class="dotted-name">
      {parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}
    </span>
  );
}
