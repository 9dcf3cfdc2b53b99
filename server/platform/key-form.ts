import type { Mode } from './settings.ts';

export type KeyKind = 'secret' | 'public';

/** Who a key belongs to. */
export interface KeyHolder {
  hash: string;
  kind: KeyKind;
  mode: Mode;
  accountId: string;
}

const FORMS: { prefix: string; kind: KeyKind; mode: Mode }[] = [
  { prefix: 'sk_sandbox_', kind: 'secret', mode: 'sandbox' },
  { prefix: 'pk_sandbox_', kind: 'public', mode: 'sandbox' },
  { prefix: 'sk_', kind: 'secret', mode: 'live' },
  { prefix: 'pk_', kind: 'public', mode: 'live' },
];

/** The kind and mode that the prefix of a key states (Spec §1), or undefined when it is no key at all. */
export function keyForm(key: string): { kind: KeyKind; mode: Mode } | undefined {
  if (key.length > 200) return undefined;
  return FORMS.find(({ prefix }) => key.startsWith(prefix) && key.length > prefix.length);
}
