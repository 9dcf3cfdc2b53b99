import { hiddenFields, pageHtml } from '../../server/platform/http/pages/page-layout.ts';
import { safeHtml } from '../../server/platform/http/pages/safe-html.ts';
import type { CommandContext } from '../command-line/command-context.ts';

type Fetch = CommandContext['fetch'];

/** Who the holder of a Hosted account is. */
const HOLDER = {
  'individual.firstName': 'Ana',
  'individual.lastName': 'Reid',
  'individual.email': 'ana@compare.example',
  'individual.phoneNumber': '+447700900123',
  'individual.dateOfBirth': '1990-04-01',
  'individual.nationalities': 'GB',
  'individual.gender': 'Female',
  'individual.address.lineOne': '1 High Street',
  'individual.address.city': 'Leeds',
  'individual.address.postalCode': 'LS1 1AA',
  'individual.address.country': 'GB',
  documents: 'good',
};
const CODE = '123456';

/** A challenge of the bank, which a browser is sent to by a form. */
interface Challenge {
  creq: string;
  acsUrl: string;
}

/** Returns the challenge that a scenario asks a person to pass; undefined where it asks for something else. */
export function challengeIn(text: string): Challenge | undefined {
  const [, creq, acsUrl] = /^Post creq=(\S+) as a form to (\S+) in a browser/.exec(text) ?? [];
  return creq === undefined || acsUrl === undefined ? undefined : { creq, acsUrl };
}

/** Returns the link of an account that a scenario asks a person to complete; undefined where it asks for something else. */
export function accountLinkIn(text: string): string | undefined {
  return /^Open (\S+) in a browser and complete the account as an Individual/.exec(text)?.[1];
}

/** Returns a page with the form of a challenge, which nobody can type. */
export function challengePage({ creq, acsUrl }: Challenge): string {
  return pageHtml({
    title: 'Pass the challenge',
    from: 'Tapbench',
    about: 'comparison of two servers',
    body: safeHtml`<form method="post" action="${acsUrl}">
${hiddenFields({ creq })}<div class="actions stacked"><button>Go to the bank</button></div>
</form>`,
  });
}

/** Answers the challenge of a cardholder on the page of their bank, as one who knows the code. */
export async function passChallenge(fetch: Fetch, { creq, acsUrl }: Challenge): Promise<boolean> {
  const page = await (await post(fetch, acsUrl, { creq })).text();
  const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) return false;
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
  const answer = { ...fields, answer: 'approve', code: CODE };
  return isTaken(await post(fetch, new URL(action, acsUrl).href, answer));
}

/** Completes an account as an Individual on the page of its link, all steps at once. */
export async function completeAccount(fetch: Fetch, link: string): Promise<boolean> {
  const token = new URL(link).searchParams.get('l') ?? '';
  return isTaken(await post(fetch, link, { l: token, as: 'Individual', ...HOLDER, terms: 'yes' }));
}

/** Our pages send a browser on once they have what they ask for. */
const isTaken = ({ status }: Response) => status >= 300 && status < 400;

function post(fetch: Fetch, url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}
