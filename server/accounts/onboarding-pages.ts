import { Refusal } from '../http/refusals.ts';
import { escapeHtml, type PageAnswer, type PageRequest, type WebPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import { findLiveLink, spendLink, type LinkKind, type LinkRow } from './account-link.records.ts';
import { LINK_PAGES } from './account-link.resource.ts';
import { findAccount, findAccountRow } from './account.records.ts';
import type { EntityType } from './account.schema.ts';
import { askedOf, completeAccount, readForm, type Asked } from './onboarding.ts';
import { known } from './onboarding-fields.ts';
import { formHtml, onboardingPage } from './onboarding-html.ts';

/** The pages that account links lead to (docs/choices.md, Account links). */
export function onboardingPages(services: Services): WebPage[] {
  const { clock, store } = services;
  const { join, signin } = LINK_PAGES;

  /** Answers with what `page` makes of a link, or that the link is good no more. */
  function linked(
    kind: LinkKind,
    page: (link: LinkRow, request: PageRequest, token: string) => Promise<PageAnswer>,
  ): WebPage['handle'] {
    return async (request) => {
      const { parameter } = LINK_PAGES[kind];
      const token = request.form.get(parameter) ?? request.query.get(parameter) ?? '';
      const link = await findLiveLink(store, kind, token, clock.nowMs());
      return link ? page(link, request, token) : GONE;
    };
  }

  return [
    {
      method: 'GET',
      path: join.path,
      handle: linked('join', async (link, { query }, token) => {
        const asked = await askedOf(store, link.account_id, entityTypeOf(query.get('as')));
        return { html: asked ? formPage(asked, token) : choicePage(token) };
      }),
    },
    {
      method: 'POST',
      path: join.path,
      handle: linked('join', (_, request, token) => complete(services, request, token)),
    },
    {
      method: 'GET',
      path: signin.path,
      handle: linked('signin', async (link, _, token) => {
        const account = (await findAccountRow(store, link.account_id))!;
        const platform = account.platform_id && (await findAccount(store, account.platform_id));
        return { html: signinPage(account.email ?? account.name, platform ? platform.name : '', token) };
      }),
    },
    {
      method: 'POST',
      path: signin.path,
      handle: linked('signin', async (link) => {
        await store.transaction((tx) => spendLink(tx, link, clock.nowMs()));
        return { redirect: link.redirect_url };
      }),
    },
  ];
}

/** Completes an account from its form, or shows the form again with what is wrong. */
async function complete(
  services: Services,
  { form, sender }: PageRequest,
  token: string,
): Promise<PageAnswer> {
  const { clock, store } = services;
  const chosen = entityTypeOf(form.get('as'));
  const wrong = (asked: Asked, problems: ReadonlyMap<string, string>): PageAnswer => ({
    html: formPage(asked, token, { form, problems }),
    status: 400,
  });
  let asked: Asked | undefined;
  try {
    return await store.transaction(async (tx): Promise<PageAnswer> => {
      const link = await findLiveLink(tx, 'join', token, clock.nowMs());
      if (!link) return GONE;
      asked = await askedOf(tx, link.account_id, chosen);
      if (!asked) return { html: choicePage(token), status: 400 };
      const { answers, problems } = readForm(asked, form);
      if (problems.size > 0) return wrong(asked, problems);
      await completeAccount(tx, services, link.account_id, { asked, answers, sender });
      await spendLink(tx, link, clock.nowMs());
      return { redirect: link.redirect_url };
    });
  } catch (error) {
    if (error instanceof Refusal && asked) return wrong(asked, new Map([['', error.message]]));
    throw error;
  }
}

function entityTypeOf(text: string | null): EntityType | undefined {
  return text === 'Business' || text === 'Individual' ? text : undefined;
}

const GONE: PageAnswer = {
  status: 404,
  html: onboardingPage(
    'This link is not good any more',
    '<p>It was used, or it has run out. Ask the shop that sent it for a new one.</p>',
  ),
};

function choicePage(token: string): string {
  const link = (as: EntityType, label: string) =>
    `<a class="button" href="?l=${encodeURIComponent(token)}&amp;as=${as}">${label}</a>`;
  return onboardingPage(
    'Get ready to be paid',
    `<p>Whose money will it be?</p><p class="choices">${link('Business', 'A business')} ${link('Individual', 'My own')}</p>`,
  );
}

function formPage(
  asked: Asked,
  token: string,
  { form, problems = new Map() }: { form?: URLSearchParams; problems?: ReadonlyMap<string, string> } = {},
): string {
  const { entityType, profile, sections } = asked;
  const valueOf = (name: string) => form?.get(name) ?? known({ ...profile }, name);
  const lead = '<p class="quiet">A few details, and payments can be paid out to you.</p>';
  const hidden = { [LINK_PAGES.join.parameter]: token, as: entityType };
  return onboardingPage(
    'Get ready to be paid',
    lead + formHtml({ action: LINK_PAGES.join.path, hidden, sections, valueOf, problems }),
  );
}

function signinPage(who: string, platform: string, token: string): string {
  const { path, parameter } = LINK_PAGES.signin;
  return onboardingPage(
    `${platform} wants to act for you`,
    `<p>You are <strong>${escapeHtml(who)}</strong>. ${escapeHtml(platform)} asks to take payments for you and to see what they bring.</p>
<form method="post" action="${path}"><input type="hidden" name="${parameter}" value="${escapeHtml(token)}">
<button type="submit">Agree</button></form>`,
  );
}
