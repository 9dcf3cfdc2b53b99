import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { problem } from '../link/api.ts';
import { Icon } from './icons.tsx';

interface CopyButtonProps {
  text: string;
  what: string;
  /** Shown beside the icon; without it the button is a small square. */
  children?: ComponentChildren;
}

/** A button that copies a text; its check mark stays until the focus moves elsewhere. */
export function CopyButton({ text, what, children }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const copied = await copyText(text);
    problem.value = copied ? undefined : `The browser did not copy the ${what}.`;
    setDone(copied);
  };
  return (
    <button
      type="button"
      class={children === undefined ? 'quiet square small' : ''}
      aria-label={children === undefined ? (done ? `Copied the ${what}` : `Copy the ${what}`) : undefined}
      title={done ? 'Copied' : `Copy the ${what}`}
      onClick={copy}
      onBlur={() => setDone(false)}
    >
      <Icon name={done ? 'check' : 'copy'} size={14} />
      {children !== undefined && <span aria-live="polite">{done ? 'Copied' : children}</span>}
    </button>
  );
}

/** Copies a text. Without a secure context browsers have no clipboard interface, and the text is selected and copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  const focused = document.activeElement as HTMLElement | null;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return copied;
}
