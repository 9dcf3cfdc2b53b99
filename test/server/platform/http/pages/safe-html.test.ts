import { expect, test } from 'vitest';
import { safeHtml, trustedHtml } from '../../../../../server/platform/http/pages/safe-html.ts';

test('safeHtml: escapes text in content and in quoted attributes', () => {
  const evil = `"><script>alert('&')</script>`;
  expect(safeHtml`<a title="${evil}">${evil}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</a>',
  );
});

test('safeHtml: inserts HTML of other templates, and lists of it, as it is', () => {
  const items = ['a', '<b>'].map((name) => safeHtml`<li>${name}</li>`);
  expect(safeHtml`<ul>${items}</ul>${trustedHtml('<hr>')}`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>',
  );
});

test('safeHtml: inserts numbers, 0 too, and nothing for false, null and undefined', () => {
  expect(safeHtml`<p>${0}${false}${null}${undefined}${['', 7]}</p>`.text).toBe('<p>07</p>');
});

test('safeHtml: keeps backslashes of the template as a template literal does', () => {
  expect(safeHtml`a\nb`.text).toBe('a\nb');
});
