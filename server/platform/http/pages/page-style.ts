/**
 * How every page of this server looks: one sheet, nothing from outside, light or dark as the browser asks. Text has
 * a contrast of at least 4.5 to what is behind it, and edges of fields 3 (WCAG 2.2 §1.4.3, §1.4.11).
 */
export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --ground: #f2f5f7; --paper: #fff; --ink: #15202b; --quiet: #52606d; --line: #dbe2e8; --edge: #7b8794;
  --go: #0b6b4f; --go-over: #085540; --tint: #e7f3ef; --link: #0b6b4f; --bad: #b42318; --bad-tint: #fdf1f0; --focus: #1d6fe0 }
@media (prefers-color-scheme: dark) { :root {
  --ground: #0e1317; --paper: #171e24; --ink: #e8edf1; --quiet: #a3b0bc; --line: #2b353e; --edge: #74828f;
  --go: #13795b; --go-over: #0f6a4f; --tint: #14302a; --link: #5fd0a8; --bad: #ff9a90; --bad-tint: #331b1a; --focus: #7db2ff } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  padding: clamp(1rem, 8vh, 5rem) 1rem;
  background: var(--ground); color: var(--ink) }
main { width: 100%; max-width: 27rem; background: var(--paper); border: 1px solid var(--line); border-radius: 14px;
  padding: 1.5rem 2rem 2rem; box-shadow: 0 1px 2px #0000000d, 0 8px 24px #0000000f }
main.wide { max-width: 42rem }
header { display: flex; justify-content: space-between; gap: 1rem; margin: 0 0 1.5rem; padding-bottom: 1rem;
  border-bottom: 1px solid var(--line); font-size: .875rem; color: var(--quiet) }
header strong { color: var(--ink); font-weight: 600 }
header strong::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .5rem;
  border-radius: 3px; background: var(--go) }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .5rem; text-wrap: balance }
h2 { font-size: 1rem; margin: 0 }
p { margin: 0 0 1rem }
.quiet, small { color: var(--quiet) }
small { display: block; font-size: .875rem }
a { color: var(--link); text-underline-offset: .15em }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }

.steps { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: .5rem; list-style: none; margin: 0 0 1.75rem;
  padding: 0; font-size: .8125rem; color: var(--quiet) }
.steps li { border-top: 4px solid var(--line); padding-top: .4rem }
.steps .done { border-color: var(--go) }
.steps [aria-current] { border-color: var(--go); color: var(--ink); font-weight: 600 }

form { margin: 0 }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1.1rem 1rem; margin: 1.25rem 0 }
.field { grid-column: 1 / -1; min-width: 0; margin: 0; padding: 0; border: 0 }
.field.half { grid-column: auto }
label, legend { font-weight: 600; font-size: .9375rem; padding: 0 }
label i, legend i { font-style: normal; font-weight: 400; color: var(--quiet) }
input, select { font: inherit; color: inherit; accent-color: var(--go) }
input:not([type=checkbox], [type=radio]), select { display: block; width: 100%; min-height: 2.75rem; margin-top: .3rem;
  padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--paper) }
input.code { font-size: 1.5rem; letter-spacing: .35em; text-align: center; font-variant-numeric: tabular-nums }
.field small { margin-top: .3rem }
.pick { display: flex; align-items: center; gap: .6rem; min-height: 2.75rem; margin-top: .3rem; padding: .5rem .75rem;
  border: 1px solid var(--edge); border-radius: 8px; font-weight: 400; cursor: pointer }
.pick:has(:checked) { border-color: var(--go); background: var(--tint) }
.pick:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px }
.pick input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; outline: 0 }
.wrong input, .wrong select, .wrong .pick { border-color: var(--bad) !important }
.problem { margin: .3rem 0 0; font-size: .875rem; font-weight: 500; color: var(--bad) }
.problems { margin: 1rem 0 1.25rem; padding: .9rem 1rem; border: 1px solid var(--bad); border-radius: 8px; background: var(--bad-tint) }
.problems ul { margin: .3rem 0 0; padding-left: 1.2rem }
.problems, .problems a { color: var(--bad) }
.sandbox { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: 8px; background: var(--tint); font-size: .9375rem }

.actions { display: flex; flex-direction: row-reverse; justify-content: space-between; gap: .75rem; margin-top: 1.75rem }
.actions.stacked { flex-direction: column }
.after { margin: 1.25rem 0 0; font-size: .875rem }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem;
  padding: .5rem 1.5rem; border: 1px solid transparent; border-radius: 8px; background: var(--go); color: #fff;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
button:hover, .button:hover { background: var(--go-over) }
button.plain { border-color: var(--edge); background: transparent; color: var(--ink) }
button.plain:hover { background: var(--ground) }
button.text { min-height: 1.5rem; padding: 0 .25rem; background: none; color: var(--link); text-decoration: underline }
.unseen { position: absolute; width: 1px; height: 1px; min-height: 0; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%) }

.choices { display: grid; gap: .75rem; margin: 1.25rem 0 0; padding: 0; list-style: none }
.choices a { display: grid; grid-template-columns: 1fr auto; padding: 1rem 1.15rem; border: 1px solid var(--edge); border-radius: 10px; color: inherit;
  text-decoration: none }
.choices a:hover { border-color: var(--go); background: var(--tint) }
.choices a::after { content: "\\2192"; grid-area: 1 / 2 / span 2; align-self: center; font-size: 1.25rem; color: var(--link) }
.part { display: flex; justify-content: space-between; align-items: baseline; margin-top: 1.5rem; padding-bottom: .4rem;
  border-bottom: 1px solid var(--line) }
dl { display: grid; grid-template-columns: minmax(7rem, 2fr) 3fr; gap: .35rem 1rem; margin: .75rem 0 1.5rem; font-size: .9375rem }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
main:not(.wide) dl { grid-template-columns: auto 1fr; column-gap: 1.5rem }
@media (max-width: 36rem) {
  body { padding: 0; background: var(--paper) }
  main, main.wide { max-width: none; padding: 1.25rem; border: 0; border-radius: 0; box-shadow: none }
  .fields { grid-template-columns: 1fr }
  .steps [aria-current] { white-space: nowrap }
  .steps li:not([aria-current]) { font-size: 0 }
  .actions { flex-direction: column }
}
`;
