// What begins an id, and its end: of a ULID, of two, or of a UUID.
const IDS = /([a-z]+_)[0-9A-Za-z_-]{16,}([0-9A-Za-z]{4})(?=\/|$)/g;

/** Returns a path with each id shortened, so that the operation after it is in view: `/v1/customers/cus_…5XP5`. */
export function shortPath(path: string): string {
  return path.replaceAll(IDS, '$1…$2');
}
