/** What the examples of a document are filled in with. */
interface OwnValues {
  /** Address of the server, without a slash at its end. */
  origin: string;
  /** Path of the sandbox in addresses, such as `/s/ci`; empty for `default`. */
  prefix: string;
  /** Undefined for a browser without the token of the sandbox. */
  keys: { secretKey: string; publicKey: string } | undefined;
}

/** The address in the documents, where a path or the end of a word follows: not the one that a proxy forwards to. */
const ADDRESS = /http:\/\/127\.0\.0\.1:8080(?=[/'"\s]|$)/g;
// These are addresses of the server, not of one of its sandboxes.
const OF_SERVER = /^\/(?:sandboxes|s\/|healthz|metrics)/;

/** Returns the text of an example with the address and the keys of this server in place of those of the documents. */
export function withOwnValues(example: string, { origin, prefix, keys }: OwnValues): string {
  const addressed = example.replace(ADDRESS, (address, at: number) =>
    OF_SERVER.test(example.slice(at + address.length)) ? origin : origin + prefix,
  );
  if (!keys) return addressed;
  return addressed
    .replaceAll(/\$SECRET_KEY\b|sk_sandbox_…/g, () => keys.secretKey)
    .replaceAll(/\$PUBLIC_KEY\b|pk_sandbox_…/g, () => keys.publicKey);
}
