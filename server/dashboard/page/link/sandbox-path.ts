/** Returns the prefix of the page's sandbox in paths: `/s/{name}`, or empty for the sandbox `default`. */
export function sandboxPrefix(pagePath: string): string {
  return /^\/s\/[a-z0-9-]+/.exec(pagePath)?.[0] ?? '';
}

/** Returns the name of the page's sandbox. */
export function sandboxName(pagePath: string): string {
  return sandboxPrefix(pagePath).slice('/s/'.length) || 'default';
}

/** Returns a path of the server as one of the page's sandbox. */
export function pathInSandbox(path: string, pagePath: string): string {
  return sandboxPrefix(pagePath) + path;
}

/** Returns the name under which the browser stores the token of a page's sandbox: each has one of its own. */
export function tokenKeyOf(pagePath: string): string {
  return `tapbench.token${sandboxPrefix(pagePath)}`;
}
