import { escapeHtml } from '../http/page.ts';
import type { Field, Section } from './onboarding-fields.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #8886; --main: #2457d6; --bad: #c22; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 36rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; }
p { margin: 0 0 .75rem; }
.quiet, small { opacity: .7; }
fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: .8rem; }
label { display: block; }
label span { display: block; font-weight: 600; font-size: .9rem; }
input:not([type=checkbox]), select { width: 100%; box-sizing: border-box; padding: .5rem; font: inherit;
  border: 1px solid var(--line); border-radius: .4rem; background: transparent; color: inherit; }
.wrong input, .wrong select { border-color: var(--bad); }
.problem { color: var(--bad); font-size: .9rem; }
.banner { border: 1px solid var(--bad); border-radius: .4rem; padding: .6rem .8rem; }
button, .button { display: inline-block; margin-top: 1.5rem; padding: .6rem 1.4rem; font: inherit; font-weight: 600;
  border: 0; border-radius: .4rem; background: var(--main); color: #fff; text-decoration: none; cursor: pointer; }
.choices { display: flex; gap: 1rem; }
`;

/** A whole page. `body` is HTML, `title` is text. */
export function onboardingPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
}

export interface FormView {
  action: string;
  /** Sent along as they are. */
  hidden: Record<string, string>;
  sections: readonly Section[];
  /** What a field shows. */
  valueOf(name: string): string;
  /** What is wrong, by the name of a field; under the empty name, what is wrong with the whole. */
  problems: ReadonlyMap<string, string>;
}

export function formHtml({ action, hidden, sections, valueOf, problems }: FormView): string {
  const whole = problems.get('');
  const sent = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const shown = sections.map(({ title, note, fields }) => {
    const inside = fields.map((field) => fieldHtml(field, valueOf(field.name), problems.get(field.name)));
    return `<section><h2>${escapeHtml(title)}</h2>
${note ? `<p class="quiet">${escapeHtml(note)}</p>` : ''}<fieldset>${inside.join('\n')}</fieldset></section>`;
  });
  const terms = fieldProblem(problems.get('terms'));
  return `${whole ? `<p class="banner problem" role="alert">${escapeHtml(whole)}</p>` : ''}
<form method="post" action="${escapeHtml(action)}" novalidate>${sent.join('')}
${shown.join('\n')}
<p><br><label><input type="checkbox" name="terms" value="yes"> I accept the terms of service</label>${terms}</p>
<button type="submit">Finish</button></form>`;
}

function fieldHtml(field: Field, value: string, problem: string | undefined): string {
  const name = escapeHtml(field.name);
  const label = escapeHtml(field.label) + (field.optional ? ' <small>(optional)</small>' : '');
  const hint = field.hint ? `<small>${escapeHtml(field.hint)}</small>` : '';
  const control = field.options
    ? `<select name="${name}">${field.optional ? '<option value=""></option>' : ''}${field.options.map((each) => optionHtml(each, value)).join('')}</select>`
    : `<input name="${name}" type="${field.input ?? 'text'}" value="${escapeHtml(value)}">`;
  return `<label${problem ? ' class="wrong"' : ''}><span>${label}</span>${control}${hint}${fieldProblem(problem)}</label>`;
}

function optionHtml([value, label]: readonly [string, string], chosen: string): string {
  const selected = value === chosen ? ' selected' : '';
  return `<option value="${escapeHtml(value)}"${selected}>${escapeHtml(label)}</option>`;
}

function fieldProblem(problem: string | undefined): string {
  return problem ? `<div class="problem">${escapeHtml(problem)}</div>` : '';
}
