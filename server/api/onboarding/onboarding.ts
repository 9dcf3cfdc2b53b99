import { checker, type Static } from '../../../protocol/schema.ts';
import type { Currency } from '../../../protocol/money.ts';
import { files } from '../files/file.records.ts';
import { sanitizeBody } from '../../platform/http/bodies/json-body.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { validateBankAccount } from '../payouts/bank-account.rules.ts';
import type { BankAccountInput, PayoutMethodCreate } from '../accounts/payout-method.schema.ts';
import { addPayoutMethod } from '../payouts/payout-methods.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { changeAccount } from '../accounts/account-service.ts';
import type { AccountProfile } from '../accounts/account-profile.ts';
import { verificationInputOf } from '../accounts/account-view.ts';
import { profileOf, requireAccount } from '../accounts/account.records.ts';
import type { EntityType } from '../accounts/account-holder.schema.ts';
import { AccountUpdate } from '../accounts/account.schema.ts';
import type { DocumentInput } from '../accounts/document.schema.ts';
import { OnboardingAnswers } from './account-link.schema.ts';
import {
  parseAnswers,
  BUSINESS,
  DOCUMENTS,
  INDIVIDUAL,
  PAYOUTS,
  REPRESENTATIVE,
  type Section,
} from './onboarding-fields.ts';
import { addPerson, changePerson } from '../accounts/person-service.ts';
import { listPersons, type StoredPerson } from '../accounts/person.records.ts';
import { PersonUpdate, type PersonCreate } from '../accounts/person.schema.ts';
import {
  isAccountVerificationRequired,
  accountRequirements,
  personRequirements,
} from '../accounts/verification.rules.ts';
import type { BusinessRole } from '../accounts/verification.schema.ts';

/** What the onboarding page still has to collect for an account, and the sections of its form. */
export interface OnboardingRequirements {
  entityType: EntityType;
  profile: AccountProfile;
  /** Roles that no person has yet; the person who fills in the form gets them all. */
  roles: BusinessRole[];
  /** Whether the document of the account itself is missing. */
  document: boolean;
  /** Persons whose document is missing. */
  persons: StoredPerson[];
  sections: Section[];
}

/**
 * Returns what an account still needs; undefined when its entity type is neither set nor chosen.
 * @param chosen The entity type that the holder chose, used when the account has none yet.
 */
export async function findOnboardingRequirements(
  queries: Queries,
  accountId: string,
  chosen: EntityType | undefined,
): Promise<OnboardingRequirements | undefined> {
  const profile = profileOf(await requireAccount(queries, accountId));
  const entityType = profile.entityType ?? chosen;
  if (!entityType) return undefined;
  const accountPersons = entityType === 'Business' ? await listPersons(queries, accountId) : [];
  const input = verificationInputOf({ ...profile, entityType }, accountPersons);
  const missing = accountRequirements(input);
  const roles = missing.roles.map(({ role }) => role);
  const document = isAccountVerificationRequired(input) && missing.documents.length > 0;
  const persons = accountPersons.filter(
    (person) => person.verification.phase === 'required' && personRequirements(person).documents.length > 0,
  );
  const sections = [
    entityType === 'Business' ? BUSINESS : INDIVIDUAL,
    ...(roles.length > 0 ? [REPRESENTATIVE] : []),
    ...(document || persons.length > 0 || roles.length > 0 ? [DOCUMENTS] : []),
    PAYOUTS,
  ];
  return { entityType, profile, roles, document, persons, sections };
}

interface Answers extends Pick<AccountUpdate, 'business' | 'individual'> {
  person?: PersonUpdate;
  documents?: string;
  payout?: { currency?: Currency; bankId?: string; accountNumber?: string };
}

const check = checker(OnboardingAnswers);

/**
 * Parses and validates a form; returns its answers, and its problems by field name.
 * @throws Refusal `invalid_field` for text that cannot be stored.
 */
export function readForm(
  { sections }: Pick<OnboardingRequirements, 'sections'>,
  form: URLSearchParams,
): { answers: Answers; problems: Map<string, string> } {
  const fields = sections.flatMap((section) => section.fields);
  const answers = sanitizeBody(parseAnswers(fields, form)) as Answers;
  const problems = new Map<string, string>();
  for (const { path, message } of check(answers)) {
    const field = fields.find(({ name }) => path === name || path.startsWith(`${name}.`));
    problems.set(field?.name ?? '', field ? `${field.label} does not look right` : `${path} ${message}`);
  }
  for (const { name, label, optional, options } of fields) {
    const text = form.get(name)?.trim() ?? '';
    if (!optional && text === '') problems.set(name, `${label} is needed`);
    if (text !== '' && options && !options.some(([value]) => value === text))
      problems.set(name, 'This is not offered');
  }
  if (!problems.has('payout.currency'))
    for (const [name, message] of problemsOfPayout(answers)) problems.set(name, message);
  if (form.get('terms') !== 'yes') problems.set('terms', 'The terms of service have to be accepted');
  return { answers, problems };
}

/** Returns the problems of the bank account in the form, by field name. */
function problemsOfPayout(answers: Answers): [name: string, message: string][] {
  const { currency, accountNumber } = answers.payout ?? {};
  if (currency && !accountNumber) return [['payout.accountNumber', 'An account number is needed']];
  if (accountNumber && !currency) return [['payout.currency', 'A currency is needed']];
  const given = payoutOf(answers);
  if (!given) return [];
  try {
    validateBankAccount(given.bankAccount, given);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [, member, problem] = /^bankAccount\.(bankId|accountNumber) (.*)$/.exec(error.message) ?? [];
    const name = `payout.${member ?? 'accountNumber'}`;
    const { label } = PAYOUTS.fields.find((field) => field.name === name)!;
    return [[name, problem ? `${label} ${problem}` : error.message]];
  }
}

/**
 * Applies the answers of a form to an account, its persons and its payout method. Verification follows by itself.
 * @throws Refusal of `changeAccount`, `changePerson`, `addPerson` and `addPayoutMethod`.
 */
export async function completeAccount(
  tx: Transaction,
  services: Services,
  accountId: string,
  {
    requirements,
    answers,
    sender,
  }: {
    requirements: OnboardingRequirements;
    answers: Answers;
    sender: { ipAddress: string; userAgent: string | undefined };
  },
): Promise<void> {
  const { entityType, roles, document, persons } = requirements;
  const { business, individual, person, documents } = answers;
  const standIn = (name: string) => documentFile(tx, services, accountId, `${documents}-${name}.pdf`);
  const identity = async (country: string): Promise<DocumentInput[]> => [
    { type: 'Passport', country, front: await standIn('passport') },
  ];
  const ofAccount = async (): Promise<DocumentInput[]> =>
    entityType === 'Business'
      ? [{ type: 'BusinessRegistration', front: await standIn('registration') }]
      : identity(individual!.nationalities![0]!);
  const { ipAddress, userAgent } = sender;
  await changeAccount(tx, services, accountId, {
    entityType,
    ...(entityType === 'Business' ? business && { business } : individual && { individual }),
    ...(document && { documents: await ofAccount() }),
    termsOfService: { acceptance: { ipAddress, ...(userAgent && { userAgent: userAgent.slice(0, 500) }) } },
  });
  const account = await requireAccount(tx, accountId);
  for (const each of persons) {
    const [country] = each.details.nationalities;
    await changePerson(tx, services, account, each.id, { documents: await identity(country!) });
  }
  if (roles.length > 0) {
    const [country] = person!.nationalities!;
    const given = { ...person, businessRoles: roles, documents: await identity(country!) } as PersonCreate;
    await addPerson(tx, services, accountId, given);
  }
  const payout = payoutOf(answers);
  if (payout) await addPayoutMethod(tx, services, accountId, payout);
}

/** Adds a placeholder file for a document; its name decides the result of the check (docs/choices.md, Verification). */
async function documentFile(
  tx: Transaction,
  { clock, ids }: Context,
  accountId: string,
  name: string,
): Promise<string> {
  const file = {
    accountId,
    name,
    type: 'Pdf',
    category: 'VerificationDocument',
    digest: '',
    sizeInBytes: 0,
  } as const;
  return (await files.insert(tx, { ...file, id: ids.make('file') }, clock.nowMs())).id;
}

/** Currencies whose bank accounts have a bank id; others are identified by an IBAN alone. */
const WITH_BANK_ID: Record<
  string,
  { country: string } & Pick<BankAccountInput, 'accountNumberType' | 'bankIdType'>
> = {
  GBP: { country: 'GB', accountNumberType: 'UnitedKingdom', bankIdType: 'SortCode' },
  USD: { country: 'US', accountNumberType: 'UnitedStates', bankIdType: 'RoutingNumber' },
};

/** Returns the payout method in the form; undefined when none was filled in. */
function payoutOf({
  payout = {},
  business,
  individual,
}: Answers): Static<typeof PayoutMethodCreate> | undefined {
  const { currency, accountNumber, bankId } = payout;
  if (!currency || !accountNumber) return undefined;
  const { country, ...form } = WITH_BANK_ID[currency] ?? {
    country: accountNumber.slice(0, 2).toUpperCase(),
    accountNumberType: 'Iban' as const,
  };
  const address = business?.registeredAddress ?? individual?.address;
  return {
    type: 'BankAccount',
    currency,
    country,
    bankAccount: { ...form, accountNumber, ...(bankId && { bankId }), ...(address && { address }) },
  };
}
