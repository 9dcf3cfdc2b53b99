import { sandboxPrefix } from './sandbox-path.ts';

/** Returns the name under which the browser stores the token of a page's sandbox: each has one of its own. */
export function tokenKeyOf(pagePath: string): string {
  return `tapbench.token${sandboxPrefix(pagePath)}`;
}
