/** Returns the named members of the part of an address after its question mark. Others in it are ignored. */
export function parseAddressQuery<Name extends string>(
  names: readonly Name[],
  query: string,
): { [Member in Name]?: string } {
  const given = new URLSearchParams(query);
  const members: { [Member in Name]?: string } = {};
  for (const name of names) {
    const value = given.get(name)?.trim();
    if (value) members[name] = value;
  }
  return members;
}

/** Returns the named members as the query of an address, without its question mark; empty for none. */
export function addressQuery<Name extends string>(
  names: readonly Name[],
  members: { [Member in Name]?: string },
): string {
  const query = new URLSearchParams();
  for (const name of names) if (members[name]) query.set(name, members[name]);
  return query.toString();
}
