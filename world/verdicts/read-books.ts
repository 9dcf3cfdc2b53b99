import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker, type Static } from '../../protocol/schema.ts';
import { Books } from './hunt-facts.ts';

const BOOKS_MS_MAX = 10_000;

const problemsOf = checker(Books);

/** Reads the JSON text of a shop's books. @throws Error that names what is wrong with them */
export function parseBooks(text: string): Static<typeof Books> {
  const books: unknown = parseOutsideJson(text);
  const problem = problemsOf(books)[0];
  if (problem) throw new Error(`${problem.path || 'they'} ${problem.message}`);
  return books as Static<typeof Books>;
}

/** Fetches the text of a shop's books. @throws Error when the shop does not reply with 2xx in ten seconds */
export async function fetchBooks(url: string, fetch = globalThis.fetch): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(BOOKS_MS_MAX) });
  if (!reply.ok) throw new Error(`the reply is ${reply.status}`);
  return reply.text();
}
