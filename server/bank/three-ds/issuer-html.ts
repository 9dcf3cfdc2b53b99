import {
  escapeHtml,
  factsHtml,
  hiddenFields,
  pageHtml,
  scriptHtml,
} from '../../platform/http/page-layout.ts';

/** The code that passes in the sandbox, and how many wrong ones end a challenge (docs/choices.md, 3DS). */
export const RIGHT_CODE = '123456';
export const WRONG_CODES_MAX = 3;

/** A page of the sandbox's card issuer. `body` is HTML, `title` is text. */
export function issuerPage(title: string, body: string): string {
  return pageHtml({ title, from: 'Sandbox card issuer', about: '3-D Secure', body });
}

export interface Question {
  facts: readonly (readonly [name: string, value: string])[];
  action: string;
  /** Sent along as they are. */
  hidden: Record<string, string>;
  wrongCodes: number;
}

/** Shows a payment, and asks for the code that the issuer would have sent. */
export function questionPage({ facts, action, hidden, wrongCodes }: Question): string {
  const left = WRONG_CODES_MAX - wrongCodes;
  const problem =
    wrongCodes > 0 &&
    `<p class="problem" id="problem" role="alert">That is not the code. ${left === 1 ? 'One try is' : `${left} tries are`} left.</p>`;
  return issuerPage(
    'Is this you paying?',
    `<p class="quiet">Your bank wants to know before the money leaves your account.</p>
${factsHtml(facts)}
<p class="sandbox">No message was sent: this is a sandbox. The code is <strong>${RIGHT_CODE}</strong>, any other is wrong.</p>
<form method="post" action="${action}">
${hiddenFields(hidden)}
<div class="field${problem ? ' wrong' : ''}">
<label for="code">Code from your bank</label>
<input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" autofocus${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''}>
${problem || ''}
</div>
<div class="actions stacked">
<button name="answer" value="approve">Approve payment</button>
<button class="plain" name="answer" value="cancel">Cancel</button>
</div>
</form>`,
  );
}

/** A page that posts a form by itself as soon as it is there; without scripts a person does. */
export function postingPage(action: string, fields: Record<string, string>): string {
  return issuerPage(
    'One moment',
    `<form method="post" action="${escapeHtml(action)}">
${hiddenFields(fields)}
<noscript><button>Continue</button></noscript>
</form>
${scriptHtml('submitForm')}`,
  );
}
