import { expect, test } from 'vitest';
import { anchorsOf, linksOf } from './markdown.ts';

test('linksOf: finds links of Markdown and of HTML, and none in code', () => {
  const text = [
    'See [one](a.md), ![two](b.png "B") and [`three`](c.md#d).',
    '<a href="e.md"><img src="f.svg" width="7"></a>',
    '[four]: g.md',
    'Not `[five](h.md)`.',
    '```',
    '[six](i.md)',
    '```',
  ].join('\n');
  expect(linksOf(text)).toEqual(['a.md', 'b.png', 'c.md#d', 'g.md', 'e.md', 'f.svg']);
});

test('anchorsOf: names headings as GitHub does', () => {
  const text = [
    "# The dashboard's token",
    '## `GET /healthz`, twice',
    '```',
    '# no',
    '```',
    '## Run',
    '## Run',
  ].join('\n');
  expect([...anchorsOf(text)]).toEqual(['the-dashboards-token', 'get-healthz-twice', 'run', 'run-1']);
});
