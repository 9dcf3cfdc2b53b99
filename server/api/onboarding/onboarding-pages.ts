import { Refusal } from '../../platform/http/refusals.ts';
import { factsHtml, hiddenFields, pageHtml } from '../../platform/http/pages/page-layout.ts';
import { safeHtml } from '../../platform/http/pages/safe-html.ts';
import type { PageResponse, PageRequest, WebPage } from '../../platform/http/pages/page.ts';
import {
  findUnusedLink,
  markLinkUsed,
  type LinkKind,
  type LinkRow,
  LINK_PAGES,
} from './account-link.records.ts';
import { ACCOUNT_GUARDS, findAccount, accounts } from '../accounts/account.records.ts';
import type { EntityType } from '../accounts/account-holder.schema.ts';
import {
  findOnboardingRequirements,
  completeAccount,
  readForm,
  type OnboardingRequirements,
} from './onboarding.ts';
import { valueAt } from './onboarding-fields.ts';
import { FROM, stepPage } from './onboarding-html.ts';

const { join, signin } = LINK_PAGES;

/** Renders `page` for a link, or the page for a link that is used, expired or unknown. */
function linked(
  kind: LinkKind,
  page: (link: LinkRow, request: PageRequest, token: string) => Promise<PageResponse>,
): WebPage['handle'] {
  return async (request) => {
    const { clock, store } = request.services;
    const { parameter } = LINK_PAGES[kind];
    const token = request.form.get(parameter) ?? request.query.get(parameter) ?? '';
    const link = await findUnusedLink(store, kind, token, clock.nowMs());
    return link ? page(link, request, token) : GONE;
  };
}

/** The pages that account links lead to (docs/choices.md, Account links). */
export const onboardingPages: readonly WebPage[] = [
  {
    method: 'GET',
    path: join.path,
    handle: linked('join', async (link, { services: { store }, query }, token) => {
      const requirements = await findOnboardingRequirements(
        store,
        link.account_id,
        entityTypeOf(query.get('as')),
      );
      return { html: requirements ? formPage(requirements, token, { step: 0 }) : choicePage(token) };
    }),
  },
  {
    method: 'POST',
    path: join.path,
    handle: linked('join', (link, request, token) => goOn(request, link, token)),
  },
  {
    method: 'GET',
    path: signin.path,
    handle: linked('signin', async (link, { services: { store } }, token) => {
      const account = await accounts.findAny(store, link.account_id);
      if (!account) return GONE;
      const platform = account.platform_id && (await findAccount(store, account.platform_id));
      return { html: signinPage(account.email ?? account.name, platform ? platform.name : '', token) };
    }),
  },
  {
    method: 'POST',
    path: signin.path,
    handle: linked('signin', async (link, { services: { clock, store } }) => {
      const used = await store.transaction((tx) => markLinkUsed(tx, link, clock.nowMs()), ACCOUNT_GUARDS);
      return used ? { redirect: link.redirect_url } : GONE;
    }),
  },
];

/** Shows the next step of the form, or completes the account after the last one; shows the problems if there are any. */
async function goOn(
  { services, form, sender }: PageRequest,
  link: LinkRow,
  token: string,
): Promise<PageResponse> {
  const { clock, store } = services;
  const chosen = entityTypeOf(form.get('as'));
  let requirements: OnboardingRequirements | undefined;
  try {
    return await store.transaction(async (tx): Promise<PageResponse> => {
      tx.lockRow('accounts', link.account_id);
      if (!(await findUnusedLink(tx, 'join', token, clock.nowMs()))) return GONE;
      requirements = await findOnboardingRequirements(tx, link.account_id, chosen);
      if (!requirements) return { html: choicePage(token), status: 400 };
      const show = parseStep(form.get('show'), requirements, -1);
      if (show >= 0) return { html: formPage(requirements, token, { form, step: show }) };
      const { answers, problems } = readForm(requirements, form);
      const done = parseStep(form.get('step'), requirements, requirements.sections.length);
      const wrong = firstWrong(requirements, problems);
      if (wrong <= done)
        return { html: formPage(requirements, token, { form, step: wrong, problems }), status: 400 };
      if (done < requirements.sections.length)
        return { html: formPage(requirements, token, { form, step: done + 1 }) };
      await completeAccount(tx, services, link.account_id, { requirements, answers, sender });
      await markLinkUsed(tx, link, clock.nowMs());
      return { redirect: link.redirect_url };
    }, ACCOUNT_GUARDS);
  } catch (error) {
    if (!(error instanceof Refusal && requirements)) throw error;
    const problems = new Map([['', error.message]]);
    const step = parseStep(form.get('step'), requirements, requirements.sections.length);
    return { html: formPage(requirements, token, { form, step, problems }), status: 400 };
  }
}

/** Parses the number of a step; returns `otherwise` when it is not a step of this form. */
function parseStep(text: string | null, { sections }: OnboardingRequirements, otherwise: number): number {
  return text !== null && /^\d$/.test(text) && Number(text) <= sections.length ? Number(text) : otherwise;
}

/** Returns the number of the first step with a problem; Infinity when there is none. */
function firstWrong({ sections }: OnboardingRequirements, problems: ReadonlyMap<string, string>): number {
  if (problems.size === 0) return Infinity;
  const step = sections.findIndex(({ fields }) => fields.some(({ name }) => problems.has(name)));
  return step === -1 ? sections.length : step;
}

function entityTypeOf(text: string | null): EntityType | undefined {
  return text === 'Business' || text === 'Individual' ? text : undefined;
}

const GONE: PageResponse = {
  status: 404,
  html: pageHtml({
    title: 'This link is not good any more',
    from: FROM,
    body: safeHtml`<p>It was used, or it has run out. Ask the shop that sent it for a new one.</p>`,
  }),
};

function choicePage(token: string): string {
  const choice = (as: EntityType, label: string, who: string) =>
    safeHtml`<li><a href="?l=${encodeURIComponent(token)}&amp;as=${as}"><b>${label}</b><span class="quiet">${who}</span></a></li>`;
  return pageHtml({
    title: 'Get ready to be paid',
    from: FROM,
    body: safeHtml`<p>A few details, and what you earn can be paid out to you. Whose money will it be?</p>
<ul class="choices">
${choice('Business', 'A business', 'A company, a partnership, a charity')}
${choice('Individual', 'An individual', 'You, selling under your own name')}
</ul>`,
  });
}

/** Returns the path relative to the page that it is of: that page may be below the prefix of a sandbox. */
function relative(path: string): string {
  return `.${path}`;
}

interface FormState {
  step: number;
  form?: URLSearchParams;
  problems?: ReadonlyMap<string, string>;
}

function formPage(
  requirements: OnboardingRequirements,
  token: string,
  { step, form, problems = new Map() }: FormState,
): string {
  const { entityType, profile, sections } = requirements;
  return stepPage({
    action: relative(LINK_PAGES.join.path),
    hidden: { [LINK_PAGES.join.parameter]: token, as: entityType },
    sections,
    step,
    valueOf: (name) => form?.get(name) ?? valueAt({ ...profile }, name),
    problems,
  });
}

function signinPage(who: string, platform: string, token: string): string {
  const { path, parameter } = LINK_PAGES.signin;
  return pageHtml({
    title: `${platform} wants to act for you`,
    from: FROM,
    body: safeHtml`<p>If you agree, ${platform} can take payments for you, and see what they bring.</p>
${factsHtml([['Your account', who]])}
<form method="post" action="${relative(path)}">
${hiddenFields({ [parameter]: token })}<div class="actions stacked"><button>Agree</button></div>
<p class="quiet after">You need do nothing if you do not.</p>
</form>`,
  });
}
