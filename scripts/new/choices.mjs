// @ts-check
import { filled } from './changes.mjs';

/**
 * Adds a choice: its section at the end of docs/choices/api.md, and its line in the list of choices.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} title such as `Gift cards`
 * @param {string} template
 * @param {Readonly<Record<string, string>>} values
 */
export function addChoice(changes, title, template, values) {
  changes.appendText('docs/choices/api.md', filled(template, values));
  const index = 'docs/choices.md';
  const listed =
    changes
      .read(index)
      .match(/^- \[.+\]\(choices\/api\.md#.+\)\n/gm)
      ?.at(-1) ?? '';
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  changes.insertBefore(index, listed, `- [${title}](choices/api.md#${anchor})\n`);
}
