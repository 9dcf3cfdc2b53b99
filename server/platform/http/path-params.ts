/** Names of the parameters of a path: `'id' | 'personId'` of `/accounts/{id}/persons/{personId}`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Values of path parameters, decoded, by their names. */
export type Params<Names extends string> = Readonly<Record<Names, string>>;

/** Returns a path as the router has it: `/accounts/:id` for `/accounts/{id}`. */
export function routerPattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Returns the path of a request's URL, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
