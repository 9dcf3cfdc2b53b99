import { factsHtml, hiddenFields, pageHtml } from '../../platform/http/pages/page-layout.ts';
import { safeHtml, type SafeHtml } from '../../platform/http/pages/safe-html.ts';
import type { Field, Section } from './onboarding-fields.ts';

export const FROM = 'Tapbench sandbox';

/** One step of a form; the answers of the other steps are hidden fields. */
interface StepView {
  action: string;
  /** Further hidden fields. */
  hidden: Record<string, string>;
  sections: readonly Section[];
  /** Which section is shown; the one after the last shows all answers, to be checked. */
  step: number;
  /** Returns the value of a field. */
  valueOf(name: string): string;
  /** Problems by the name of their field; under the empty name, a problem of the whole form. */
  problems: ReadonlyMap<string, string>;
}

const REVIEW = { title: 'Check your answers', step: 'Check' };

/** Returns the page of a section to fill in, or after the last one the page to check all answers. */
export function stepPage(view: StepView): string {
  const { action, hidden, sections, step, valueOf } = view;
  const section = sections[step];
  const last = section === undefined;
  const elsewhere = sections.flatMap(({ fields }, index) => (index === step ? [] : fields));
  const carried = Object.fromEntries(elsewhere.map(({ name }) => [name, valueOf(name)]));
  const { title } = section ?? REVIEW;
  // Enter presses the first button of a form, so Continue comes before Back.
  const body = safeHtml`${section?.note && safeHtml`<p class="quiet">${section.note}</p>`}
${problemsHtml(view)}
<form method="post" action="${action}" novalidate>
<button class="unseen" tabindex="-1" aria-hidden="true">Continue</button>
${hiddenFields({ ...hidden, ...carried, step: String(step) })}${section ? fieldsHtml(section.fields, view) : reviewHtml(view)}
<div class="actions">
<button>${last ? 'Finish' : 'Continue'}</button>
${step > 0 && safeHtml`<button class="plain" name="show" value="${step - 1}">Back</button>`}
</div>
</form>`;
  const about = `Step ${step + 1} of ${sections.length + 1}`;
  return pageHtml({ title, from: FROM, about, wide: true, lead: progressHtml(sections, step), body });
}

function progressHtml(sections: readonly Section[], step: number): SafeHtml {
  const items = [...sections, REVIEW].map(({ step: name }, index) => {
    const done = index < step && safeHtml` class="done"`;
    const state = index === step ? safeHtml` aria-current="step"` : done;
    return safeHtml`<li${state}>${name}</li>`;
  });
  return safeHtml`<ol class="steps">${items}</ol>\n`;
}

/** Lists the problems of this step, each with a link to its field. */
function problemsHtml({ sections, step, problems }: StepView): SafeHtml | undefined {
  const here = sections[step]?.fields.map(({ name }) => name) ?? ['terms'];
  const items = ['', ...here].flatMap((name) => {
    const problem = problems.get(name);
    if (problem === undefined) return [];
    return [safeHtml`<li>${name ? safeHtml`<a href="#${name}">${problem}</a>` : problem}</li>`];
  });
  if (items.length === 0) return undefined;
  return safeHtml`<div class="problems" role="alert" tabindex="-1" autofocus><strong>Not quite yet</strong><ul>${items}</ul></div>`;
}

function fieldsHtml(fields: readonly Field[], { valueOf, problems }: StepView): SafeHtml {
  const inside = fields.map(
    (field) => safeHtml`${fieldHtml(field, valueOf(field.name), problems.get(field.name))}\n`,
  );
  return safeHtml`<div class="fields">\n${inside}</div>`;
}

// Up to so many options are radio buttons, more are a list.
const RADIOS_MAX = 2;

function fieldHtml(field: Field, value: string, problem: string | undefined): SafeHtml {
  const { name, options, suggestions, hint, half, optional } = field;
  const label = safeHtml`${field.label}${optional && safeHtml` <i>(optional)</i>`}`;
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const aria = safeHtml`${described && safeHtml` aria-describedby="${described}"`}${problem && safeHtml` aria-invalid="true"`}`;
  const below = safeHtml`${hint && safeHtml`<small id="${name}-hint">${hint}</small>`}${problemHtml(name, problem)}`;
  const classes = `field${half ? ' half' : ''}${problem ? ' wrong' : ''}`;
  if (options && options.length <= RADIOS_MAX) {
    const radios = options.map((each, index) => radioHtml(name, each, value, index === 0));
    return safeHtml`<fieldset class="${classes}"${aria}><legend>${label}</legend>${radios}${below}</fieldset>`;
  }
  const choice = options ?? suggestions;
  const { autocomplete } = field;
  const attributes = safeHtml`id="${name}" name="${name}"${autocomplete && safeHtml` autocomplete="${autocomplete}"`}${aria}`;
  const control = choice
    ? safeHtml`<select ${attributes}>${optionsHtml(choice, value, optional === true)}</select>`
    : safeHtml`<input ${attributes} type="${field.input ?? 'text'}" value="${value}">`;
  return safeHtml`<div class="${classes}"><label for="${name}">${label}</label>${control}${below}</div>`;
}

function radioHtml(name: string, [value, label]: readonly [string, string], chosen: string, first: boolean) {
  const state = safeHtml`${first && safeHtml` id="${name}"`}${value === chosen && ' checked'}`;
  return safeHtml`<label class="pick"><input type="radio" name="${name}" value="${value}"${state}>${label}</label>`;
}

function optionsHtml(
  choice: readonly (readonly [string, string])[],
  chosen: string,
  optional: boolean,
): SafeHtml[] {
  const known = chosen === '' || choice.some(([value]) => value === chosen);
  return [
    ['', optional ? 'None' : 'Choose'] as const,
    ...choice,
    ...(known ? [] : [[chosen, chosen] as const]),
  ].map(
    ([value, label]) =>
      safeHtml`<option value="${value}"${value === chosen && ' selected'}>${label}</option>`,
  );
}

function problemHtml(name: string, problem: string | undefined): SafeHtml | undefined {
  return problem ? safeHtml`<p class="problem" id="${name}-problem">${problem}</p>` : undefined;
}

function reviewHtml({ sections, valueOf, problems }: StepView): SafeHtml {
  const parts = sections.map((section, index) => {
    const answered = section.fields.flatMap((field): [string, string][] => {
      const value = valueOf(field.name);
      const choice = field.options ?? field.suggestions;
      return value === '' ? [] : [[field.label, choice?.find(([each]) => each === value)?.[1] ?? value]];
    });
    const change = safeHtml`<button class="text" name="show" value="${index}">Change<span class="unseen"> ${section.step}</span></button>`;
    return safeHtml`<div class="part"><h2>${section.step}</h2>${change}</div>
${answered.length > 0 ? factsHtml(answered) : safeHtml`<p class="quiet">Left for later.</p>`}
`;
  });
  const problem = problems.get('terms');
  const aria = problem && safeHtml` aria-invalid="true" aria-describedby="terms-problem"`;
  return safeHtml`${parts}<div class="field${problem && ' wrong'}"><label class="pick"><input type="checkbox" id="terms" name="terms" value="yes"${aria}>I accept the terms of service</label>${problemHtml('terms', problem)}</div>`;
}
