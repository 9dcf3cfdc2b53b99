import { factsHtml, hiddenFields, pageHtml, scriptHtml } from '../../platform/http/pages/page-layout.ts';
import { safeHtml, type SafeHtml } from '../../platform/http/pages/safe-html.ts';

/** The code that the sandbox accepts, and how many wrong ones end a challenge (docs/choices.md, 3DS). */
export const RIGHT_CODE = '123456';
export const WRONG_CODES_MAX = 3;

/** Returns a page of the sandbox's card issuer. */
export function issuerPage(title: string, body: SafeHtml): string {
  return pageHtml({ title, from: 'Sandbox card issuer', about: '3-D Secure', body });
}

interface Question {
  facts: readonly (readonly [name: string, value: string])[];
  action: string;
  /** Hidden fields of the form. */
  hidden: Record<string, string>;
  wrongCodes: number;
}

/** Returns the page that shows a payment and prompts for the code that an issuer would have sent. */
export function questionPage({ facts, action, hidden, wrongCodes }: Question): string {
  const left = WRONG_CODES_MAX - wrongCodes;
  const problem =
    wrongCodes > 0 &&
    safeHtml`<p class="problem" id="problem" role="alert">That is not the code. ${left === 1 ? 'One try is' : `${left} tries are`} left.</p>`;
  return issuerPage(
    'Is this you paying?',
    safeHtml`<p class="quiet">Your bank wants to know before the money leaves your account.</p>
${factsHtml(facts)}
<p class="sandbox">No message was sent: this is a sandbox. The code is <strong>${RIGHT_CODE}</strong>, any other is wrong.</p>
<form method="post" action="${action}">
${hiddenFields(hidden)}<div class="field${problem && ' wrong'}">
<label for="code">Code from your bank</label>
<input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" autofocus${problem && safeHtml` aria-invalid="true" aria-describedby="problem"`}>
${problem}
</div>
<div class="actions stacked">
<button name="answer" value="approve">Approve payment</button>
<button class="plain" name="answer" value="cancel">Cancel</button>
</div>
</form>`,
  );
}

/** Returns a page that posts a form when it has loaded; without scripts it has a button for that. */
export function postingPage(action: string, fields: Record<string, string>): string {
  return issuerPage(
    'One moment',
    safeHtml`<form method="post" action="${action}">
${hiddenFields(fields)}<noscript><button>Continue</button></noscript>
</form>
${scriptHtml('submitForm')}`,
  );
}
