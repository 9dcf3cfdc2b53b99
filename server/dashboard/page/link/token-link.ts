/** What a dashboard link carries in its hash: the token, or a code that stands for it once. */
type LinkSecret = { token: string } | { code: string };

/** Reads `#token=…` or `#code=…`; undefined for any other hash. */
export function secretInHash(hash: string): LinkSecret | undefined {
  const [, kind, value] = /^#(token|code)=([\w-]+)$/.exec(hash) ?? [];
  if (value === undefined) return undefined;
  return kind === 'token' ? { token: value } : { code: value };
}
