/** The members that events of most objects have. */
interface SomeObject {
  id?: string;
  status?: string;
  action?: { status?: string };
}

/** Returns the id and the status of the object in the data of an event; empty where it has none. */
export function describeObject(data: SomeObject | undefined): string {
  return [data?.id, data?.status ?? data?.action?.status].filter(Boolean).join('  ');
}
