import { useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

/** A button that copies a text; its check mark stays until the focus moves elsewhere. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setDone(true);
  };
  return (
    <button
      type="button"
      class="quiet square small"
      aria-label={done ? `Copied the ${what}` : `Copy the ${what}`}
      title={done ? 'Copied' : 'Copy'}
      onClick={copy}
      onBlur={() => setDone(false)}
    >
      <Icon name={done ? 'check' : 'copy'} size={14} />
    </button>
  );
}
