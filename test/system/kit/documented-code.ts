import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../../docs');

/** Returns the code blocks of a language in a page of the documentation that contain a text. */
export function codeBlocks(page: string, language: string, text = ''): string[] {
  const document = readFileSync(join(DOCS, page), 'utf8');
  const blocks = document.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm);
  return [...blocks].flatMap(([, found, code = '']) =>
    found === language && code.includes(text) ? [code] : [],
  );
}

/** Returns the only code block of a language in a page that contains a text. @throws unless there is one */
export function codeBlock(page: string, language: string, text: string): string {
  const [code, ...others] = codeBlocks(page, language, text);
  if (code === undefined || others.length > 0)
    throw new Error(`docs/${page} has ${code === undefined ? 'no' : 'several'} blocks with ${text}`);
  return code;
}
