/** The secret in the hash of a dashboard link: the token, or a single-use code that is exchanged for it. */
type LinkSecret = { token: string } | { code: string };

/** Reads `#token=…` or `#code=…`; undefined for any other hash. */
export function secretInHash(hash: string): LinkSecret | undefined {
  const [, kind, value] = /^#(token|code)=([\w-]+)$/.exec(hash) ?? [];
  if (value === undefined) return undefined;
  return kind === 'token' ? { token: value } : { code: value };
}
