import { escapeHtml } from '../http/page.ts';

const STYLE = `
  :root { color-scheme: light dark; --ink: #1c2733; --quiet: #5d6b7a; --paper: #fff; --ground: #eef2f6; --line: #d9e0e8; --go: #0b6e4f; --stop: #a4262c }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --quiet: #9aa8b6; --paper: #1b232c; --ground: #11171d; --line: #303c48; --go: #17855f; --stop: #b93b41 } }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { width: 100%; max-width: 26rem; background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem }
  header { display: flex; justify-content: space-between; color: var(--quiet); font-size: .85rem; border-bottom: 1px solid var(--line); padding-bottom: .75rem }
  h1 { font-size: 1.25rem; margin: 1rem 0 .25rem }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0 1.5rem }
  dt { color: var(--quiet) }
  dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums }
  form { display: grid; gap: .6rem }
  button { font: inherit; font-weight: 600; padding: .7rem; border-radius: 8px; border: 1px solid transparent; color: #fff; background: var(--go); cursor: pointer }
  button.stop { background: transparent; color: var(--stop); border-color: currentColor }
  button:focus-visible, a:focus-visible { outline: 3px solid #4c9aff; outline-offset: 2px }
  p { margin: .5rem 0; color: var(--quiet) }
  a { color: inherit }`;

/** A page of the sandbox's card issuer. `body` is HTML, `title` is text. */
export function issuerPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}
</style>
<main>
<header><span>Sandbox card issuer</span><span>3-D Secure</span></header>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</html>
`;
}

/** Fields of a form that nobody sees. */
export function hiddenFields(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('\n');
}

/** A page that posts a form by itself as soon as it is there; without scripts a person does. */
export function postingPage(action: string, fields: Record<string, string>): string {
  return issuerPage(
    'One moment',
    `<form method="post" action="${escapeHtml(action)}">
${hiddenFields(fields)}
<noscript><button>Continue</button></noscript>
</form>
<script>document.forms[0].submit()</script>`,
  );
}
