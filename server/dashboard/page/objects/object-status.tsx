import { toneOf } from './object-kinds.ts';

/** The status of an object, coloured by what it means. */
export function ObjectStatus({ status }: { status: string }) {
  return <span class={`pill ${toneOf(status)}`.trimEnd()}>{status}</span>;
}
