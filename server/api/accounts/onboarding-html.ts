import { escapeHtml, factsHtml, hiddenFields, pageHtml } from '../../platform/http/page-layout.ts';
import type { Field, Section } from './onboarding-fields.ts';

export const FROM = 'Tapbench sandbox';

/** One step of a form whose other answers are carried along. */
export interface StepView {
  action: string;
  /** Sent along as they are. */
  hidden: Record<string, string>;
  sections: readonly Section[];
  /** Which section is shown; the one after the last shows all answers, to be checked. */
  step: number;
  /** What a field holds. */
  valueOf(name: string): string;
  /** What is wrong, by the name of a field; under the empty name, what is wrong with the whole. */
  problems: ReadonlyMap<string, string>;
}

export const REVIEW = { title: 'Check your answers', step: 'Check' };

/** Shows a section to fill in, or what was filled in. */
export function stepPage(view: StepView): string {
  const { action, hidden, sections, step, valueOf } = view;
  const section = sections[step];
  const last = section === undefined;
  const elsewhere = sections.flatMap(({ fields }, index) => (index === step ? [] : fields));
  const carried = Object.fromEntries(elsewhere.map(({ name }) => [name, valueOf(name)]));
  const { title } = section ?? REVIEW;
  // What Enter does in a field has to come first in a form.
  const body = `${section?.note ? `<p class="quiet">${escapeHtml(section.note)}</p>` : ''}
${problemsHtml(view)}
<form method="post" action="${escapeHtml(action)}" novalidate>
<button class="unseen" tabindex="-1" aria-hidden="true">Continue</button>
${hiddenFields({ ...hidden, ...carried, step: String(step) })}
${section ? fieldsHtml(section.fields, view) : reviewHtml(view)}
<div class="actions">
<button>${last ? 'Finish' : 'Continue'}</button>
${step > 0 ? `<button class="plain" name="show" value="${step - 1}">Back</button>` : ''}
</div>
</form>`;
  const about = `Step ${step + 1} of ${sections.length + 1}`;
  return pageHtml({ title, from: FROM, about, wide: true, lead: progressHtml(sections, step), body });
}

function progressHtml(sections: readonly Section[], step: number): string {
  const items = [...sections, REVIEW].map(({ step: name }, index) => {
    const state = index === step ? ' aria-current="step"' : index < step ? ' class="done"' : '';
    return `<li${state}>${escapeHtml(name)}</li>`;
  });
  return `<ol class="steps">${items.join('')}</ol>\n`;
}

/** What is wrong on this step, above it, with ways to where it is. */
function problemsHtml({ sections, step, problems }: StepView): string {
  const here = sections[step]?.fields.map(({ name }) => name) ?? ['terms'];
  const items = ['', ...here].flatMap((name) => {
    const problem = problems.get(name);
    if (problem === undefined) return [];
    const text = escapeHtml(problem);
    return [`<li>${name ? `<a href="#${escapeHtml(name)}">${text}</a>` : text}</li>`];
  });
  if (items.length === 0) return '';
  return `<div class="problems" role="alert" tabindex="-1" autofocus><strong>Not quite yet</strong><ul>${items.join('')}</ul></div>`;
}

function fieldsHtml(fields: readonly Field[], { valueOf, problems }: StepView): string {
  const inside = fields.map((field) => fieldHtml(field, valueOf(field.name), problems.get(field.name)));
  return `<div class="fields">\n${inside.join('\n')}\n</div>`;
}

// So few are better seen all at once.
const RADIOS_MAX = 2;

function fieldHtml(field: Field, value: string, problem: string | undefined): string {
  const { name, options, suggestions, hint, half, optional } = field;
  const label = `${escapeHtml(field.label)}${optional ? ' <i>(optional)</i>' : ''}`;
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const said = (described && ` aria-describedby="${described}"`) + (problem ? ' aria-invalid="true"' : '');
  const below = `${hint ? `<small id="${name}-hint">${escapeHtml(hint)}</small>` : ''}${problemHtml(name, problem)}`;
  const classes = `field${half ? ' half' : ''}${problem ? ' wrong' : ''}`;
  if (options && options.length <= RADIOS_MAX) {
    const radios = options.map((each, index) => radioHtml(name, each, value, index === 0));
    return `<fieldset class="${classes}"${said}><legend>${label}</legend>${radios.join('')}${below}</fieldset>`;
  }
  const choice = options ?? suggestions;
  const attributes = `id="${name}" name="${name}"${field.autocomplete ? ` autocomplete="${field.autocomplete}"` : ''}${said}`;
  const control = choice
    ? `<select ${attributes}>${optionsHtml(choice, value, optional === true)}</select>`
    : `<input ${attributes} type="${field.input ?? 'text'}" value="${escapeHtml(value)}">`;
  return `<div class="${classes}"><label for="${name}">${label}</label>${control}${below}</div>`;
}

function radioHtml(name: string, [value, label]: readonly [string, string], chosen: string, first: boolean) {
  const state = `${first ? ` id="${name}"` : ''}${value === chosen ? ' checked' : ''}`;
  return `<label class="pick"><input type="radio" name="${name}" value="${escapeHtml(value)}"${state}>${escapeHtml(label)}</label>`;
}

function optionsHtml(
  choice: readonly (readonly [string, string])[],
  chosen: string,
  optional: boolean,
): string {
  const known = chosen === '' || choice.some(([value]) => value === chosen);
  return [
    ['', optional ? 'None' : 'Choose'] as const,
    ...choice,
    ...(known ? [] : [[chosen, chosen] as const]),
  ]
    .map(([value, label]) => {
      const selected = value === chosen ? ' selected' : '';
      return `<option value="${escapeHtml(value)}"${selected}>${escapeHtml(label)}</option>`;
    })
    .join('');
}

function problemHtml(name: string, problem: string | undefined): string {
  return problem ? `<p class="problem" id="${name}-problem">${escapeHtml(problem)}</p>` : '';
}

function reviewHtml({ sections, valueOf, problems }: StepView): string {
  const parts = sections.map((section, index) => {
    const facts = section.fields.flatMap((field): [string, string][] => {
      const value = valueOf(field.name);
      const choice = field.options ?? field.suggestions;
      return value === '' ? [] : [[field.label, choice?.find(([each]) => each === value)?.[1] ?? value]];
    });
    const change = `<button class="text" name="show" value="${index}">Change<span class="unseen"> ${escapeHtml(section.step)}</span></button>`;
    return `<div class="part"><h2>${escapeHtml(section.step)}</h2>${change}</div>
${facts.length > 0 ? factsHtml(facts) : '<p class="quiet">Left for later.</p>'}`;
  });
  const problem = problems.get('terms');
  const said = problem ? ' aria-invalid="true" aria-describedby="terms-problem"' : '';
  return `${parts.join('\n')}
<div class="field${problem ? ' wrong' : ''}"><label class="pick"><input type="checkbox" id="terms" name="terms" value="yes"${said}>I accept the terms of service</label>${problemHtml('terms', problem)}</div>`;
}
