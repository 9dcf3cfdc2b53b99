/** The status of a reply, coloured by its class. */
export function StatusPill({ status }: { status: number | null }) {
  const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return <span class={`pill ${tone}`}>{status ?? 'closed'}</span>;
}
