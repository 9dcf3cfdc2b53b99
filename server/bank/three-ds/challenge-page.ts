import { formatMinor } from '../../../protocol/money.ts';
import { scriptHtml } from '../../platform/http/pages/page-layout.ts';
import { safeHtml } from '../../platform/http/pages/safe-html.ts';
import type { PageResponse, WebPage } from '../../platform/http/pages/page.ts';
import type { Services } from '../../platform/services.ts';
import { strikeChallenge } from '../bank-faults.ts';
import { issuerPage, postingPage, questionPage, RIGHT_CODE, WRONG_CODES_MAX } from './issuer-html.ts';
import { decode } from './three-ds-messages.ts';
import { countWrongCode, findRun, type ThreeDsRunRow } from './three-ds.records.ts';
import { CHALLENGE_PATH, challengeResult } from './three-ds.ts';
import type { Queries } from '../../platform/store/store.ts';

const ANSWER_PATH = `${CHALLENGE_PATH}/answer`;

/** A challenge: its authentication run and the payment that waits for it. */
interface Challenge {
  run: ThreeDsRunRow;
  payment: ChallengedPayment;
  /** Whether the payment and the run still wait for the result. */
  open: boolean;
}

async function challengeOf(
  { challengedPayments, store }: ChallengeServices,
  runId: unknown,
): Promise<Challenge | undefined> {
  const run = typeof runId === 'string' ? await findRun(store, runId) : undefined;
  const payment = run && (await challengedPayments.find(store, run.session_id));
  if (!payment) return undefined;
  return { run, payment, open: payment.awaitedRunId === run.id && run.wrong_codes < WRONG_CODES_MAX };
}

async function ask(services: ChallengeServices, fields: URLSearchParams): Promise<PageResponse> {
  const request = decode(fields.get('creq') ?? fields.get('cReq') ?? '');
  const challenge = await challengeOf(services, request?.['threeDSServerTransID']);
  if (!challenge || request?.['acsTransID'] !== challenge.run.acs_id) return unknownChallenge();
  if (!challenge.open) return over(challenge.payment);
  return { html: question(services, challenge, fields) };
}

async function answer(services: ChallengeServices, fields: URLSearchParams): Promise<PageResponse> {
  const challenge = await challengeOf(services, fields.get('run'));
  if (!challenge) return unknownChallenge();
  const { run, payment } = challenge;
  const approves = fields.get('answer') === 'approve';
  const right = fields.get('code')?.replace(/\s/g, '') === RIGHT_CODE;
  if (challenge.open && approves && !right) {
    const counted = await services.store.transaction((tx) => countWrongCode(tx, run.id), {
      guardedBy: [],
    });
    if (counted.wrong_codes < WRONG_CODES_MAX)
      return { html: question(services, { ...challenge, run: counted }, fields), status: 400 };
  }
  const isApproved = challenge.open && approves && right;
  const struck = isApproved ? strikeChallenge(services, payment.id) : undefined;
  if (struck === 'leaves') return { html: left() };
  const cres = challengeResult(run, isApproved && !struck);
  const notificationUrl = fields.get('notificationUrl');
  if (notificationUrl !== null && isWebAddress(notificationUrl)) {
    const threeDSSessionData = fields.get('threeDSSessionData') ?? '';
    return { html: postingPage(notificationUrl, { cres, threeDSSessionData }) };
  }
  await services.challengedPayments.continue(payment.id, cres);
  return back(payment);
}

/**
 * The issuer's challenge page, on which the cardholder approves a payment with a code or rejects it. A shop's script
 * posts `creq` to it (EMV 3DS 2.2 §5.9). With a `notificationUrl` the result is posted there as `cres`, and the shop
 * continues the payment; without one the payment continues here, and the browser returns to the shop (docs/choices.md, 3DS).
 */
export const challengePages: readonly WebPage<ChallengeServices>[] = [
  { method: 'POST', path: CHALLENGE_PATH, framed: true, handle: ({ services, form }) => ask(services, form) },
  {
    method: 'GET',
    path: CHALLENGE_PATH,
    framed: true,
    handle: ({ services, query }) => ask(services, query),
  },
  { method: 'POST', path: ANSWER_PATH, framed: true, handle: ({ services, form }) => answer(services, form) },
];

function question(
  { settings }: Pick<Services, 'settings'>,
  { run, payment }: Challenge,
  fields: URLSearchParams,
): string {
  const { card } = payment;
  const kept = ['notificationUrl', 'threeDSSessionData'].flatMap((name): [string, string][] => {
    const value = fields.get(name);
    return value === null ? [] : [[name, value]];
  });
  return questionPage({
    facts: [
      ['Shop', payment.shop],
      ['Amount', formatMinor(payment.amountMinor, payment.currency)],
      ['Card', `${card?.scheme ?? 'Card'} ending ${card?.last4 ?? ''}`],
    ],
    action: settings.publicUrl + ANSWER_PATH,
    hidden: { run: run.id, ...Object.fromEntries(kept) },
    wrongCodes: run.wrong_codes,
  });
}

function unknownChallenge(): PageResponse {
  const html = issuerPage(
    'No such payment',
    safeHtml`<p>Nobody is waiting for an answer to this request.</p>`,
  );
  return { html, status: 404 };
}

function left(): string {
  const text = 'A fault let the cardholder leave: nothing was sent, and the payment waits.';
  return issuerPage('The cardholder has left', safeHtml`<p>${text}</p>`);
}

function over(payment: ChallengedPayment): PageResponse {
  const link = returnAddress(payment);
  const html = issuerPage(
    'This is over',
    safeHtml`<p>The payment does not wait for you any more.</p><p><a class="button" href="${link}">Back to the shop</a></p>`,
  );
  return { html };
}

/** URL of the cardholder after a redirect: `returnUrl`, the session's id under `ps` (Spec §2.2, returnUrl). */
function returnAddress({ id, returnUrl }: ChallengedPayment): string {
  const address = new URL(returnUrl);
  address.searchParams.set('ps', id);
  return address.href;
}

function back(payment: ChallengedPayment): PageResponse {
  const address = returnAddress(payment);
  if (isWebAddress(address)) return { redirect: address };
  // A browser may not be sent to an app after a form; a link, or a script on a page, may open it.
  const body = safeHtml`<p>It goes on there. If the app does not open by itself, open it from here.</p>
<p><a class="button" href="${address}">Open the app</a></p>${scriptHtml('followLink')}`;
  return { html: issuerPage('Back to the app', body) };
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** A payment whose cardholder is authenticated, as the issuer's page shows it. */
interface ChallengedPayment {
  id: string;
  /** The authentication that the payment waits for; null when it waits for none. */
  awaitedRunId: string | null;
  /** The shop's name on the cardholder's statement. */
  shop: string;
  amountMinor: number;
  currency: string;
  card: { scheme: string; last4: string } | undefined;
  returnUrl: string;
}

/** What the issuer's page needs of payments. The area of payments implements it. */
export interface ChallengedPayments {
  find(queries: Queries, sessionId: string): Promise<ChallengedPayment | undefined>;
  /** Continues a payment with the challenge result (a `CRes`). Does nothing when it no longer waits for one. */
  continue(sessionId: string, challengeResult: string): Promise<void>;
}

/** What the issuer's page needs: the services of the platform, and the port. */
export interface ChallengeServices extends Services {
  challengedPayments: ChallengedPayments;
}
