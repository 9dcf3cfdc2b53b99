/** How a document looks: light or dark as the browser asks, with nothing from outside. */
export const GUIDE_STYLE = `
:root { color-scheme: light dark; font: 15px/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, sans-serif;
  --canvas: light-dark(#f5f5f2, #101113); --surface: light-dark(#fff, #17181b); --line: light-dark(#deded8, #292b30);
  --ink: light-dark(#17181a, #ededea); --quiet: light-dark(#494c52, #b6b9c0); --live: light-dark(#1c50d4, #84a9ff);
  background: var(--canvas); color: var(--ink) }
* { box-sizing: border-box }
body { margin: 0 }
header { position: sticky; top: 0; display: flex; gap: 1.25rem; padding: .7rem max(1rem, calc(50vw - 24rem)); background: var(--surface);
  border-bottom: 1px solid var(--line); font-size: .875rem }
header a { color: var(--quiet) }
main { max-width: 50rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; overflow-wrap: break-word }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; scroll-margin-top: 3.5rem }
h1 { font-size: 1.75rem; margin: .5rem 0 1rem }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem }
p, ul, ol { margin: 0 0 1rem }
li { margin-bottom: .25rem }
a { color: var(--live); text-underline-offset: .15em }
img { max-width: 100%; height: auto; background: #fff; border-radius: 6px }
code, pre { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
code { padding: .1em .35em; border-radius: 4px; background: light-dark(#ecece7, #0b0c0d) }
pre { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); overflow-x: auto }
pre code { padding: 0; background: none; font-size: 1em }
.table { overflow-x: auto; margin: 0 0 1.25rem }
table { border-collapse: collapse; font-size: .9rem }
th, td { padding: .4rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
th { background: var(--surface) }
:focus-visible { outline: 2px solid var(--live); outline-offset: 2px }
`;
