import { isObject } from '../../../protocol/outside-json.ts';
import { EACH_ITEM, type DeclaredApi, type DeclaredSchema } from '../declared-api.ts';
import { compareLists, hasOthers, isMade, type ListContext } from './compare-lists.ts';
import { differenceOfTexts, differenceOfTimes, type ValueContext } from './compare-values.ts';
import type { DifferenceKind, Found } from './difference.ts';
import { maskedMember, maskedMemberValue } from './mask-value.ts';
import { isIdLike } from './text-forms.ts';

export interface BodyContext extends ValueContext, ListContext {
  api: Pick<DeclaredApi, 'at'>;
  /** Whether a person has filled in a form before. */
  isFilledIn: boolean;
  /** What our documents say of the body. */
  declared: readonly DeclaredSchema[];
  /** Whether a page has what others made, so that more of it may follow. */
  isCrowded?: boolean;
}

type Path = readonly string[];

const TOKEN = 'paginationToken';
/** What a person fills in, who is another one at each server: it is not compared, and nobody else learns it. */
const FILLED_IN = new Set(['individual', 'business', 'termsOfService']);
/** Members whose value depends on what else the account has, such as its webhooks: only their type is compared. */
const OF_OTHERS = new Set(['endpoints', 'deliveryStatus', TOKEN]);

/** Returns in what the bodies of two replies differ, by the members of both. */
export function compareBodies(here: unknown, there: unknown, context: BodyContext): Found[] {
  const isCrowded = !context.isOwnAccount && [here, there].some((body) => hasOthers(body, context));
  const found = compareAt(here, there, [], { ...context, isCrowded });
  // What follows a page depends on what is in it.
  const isOtherPage = found.some(({ kind, member }) => member === 'items' && PAGE_KINDS.includes(kind));
  return isOtherPage ? found.filter(({ member }) => member !== TOKEN) : found;
}

/** In what a page may differ so that its token does too. */
const PAGE_KINDS: readonly DifferenceKind[] = ['count', 'order'];

/** Whether the token of a page that goes on is the id of its last item, as ours is; undefined where there is none. */
function isTokenOfLast(page: unknown): boolean | undefined {
  if (!isObject(page) || !Array.isArray(page['items'])) return undefined;
  const [last, token]: unknown[] = [page['items'].at(-1), page[TOKEN]];
  return isObject(last) && typeof token === 'string' ? last['id'] === token : undefined;
}

function compareAt(here: unknown, there: unknown, path: Path, context: BodyContext): Found[] {
  const found = (kind: DifferenceKind) => [differenceAt(kind, path, here, there, context)];
  if (here === undefined && there === undefined) return [];
  if (context.isFilledIn && FILLED_IN.has(path[0] ?? '')) return [];
  // A member of a reply that is null says the same as one that is absent, and some clients take only one of them.
  const isNothing = (value: unknown) => value === undefined || value === null;
  // The other account has more objects, so that it alone may have a further page.
  const isOtherPage = here === null && typeof there === 'string' && !context.isOwnAccount;
  if (path.join('.') === TOKEN && !context.isBounded && (context.isCrowded || isOtherPage)) return [];
  if (isNothing(here) && isNothing(there)) return here === there ? [] : found('null');
  if (here === undefined) return found('added');
  if (there === undefined) return found('missing');
  if (isNothing(here) || isNothing(there) || typeOf(here) !== typeOf(there)) return found('type');
  if (OF_OTHERS.has(path.at(-1) ?? '')) return [];
  if (Array.isArray(here) && Array.isArray(there))
    return compareLists(here, there, path, context, {
      items: (ours, theirs) => compareAt(ours, theirs, [...path, EACH_ITEM], context),
      areAlike: (ours, theirs) =>
        compareAt(ours, theirs, [...path, EACH_ITEM], { ...context, pairs: context.pairs.copy() }).length ===
        0,
      list: found,
      shape: (theirs) => shapeOf(theirs, [...path, EACH_ITEM], context),
    });
  if (isObject(here) && isObject(there)) return compareObjects(here, there, path, context);
  const kind = differenceOfScalars(here, there, path, context);
  return kind === undefined ? [] : found(kind);
}

function compareObjects(
  here: Record<string, unknown>,
  there: Record<string, unknown>,
  path: Path,
  context: BodyContext,
): Found[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  const isOfRun = (value: unknown, side: 'here' | 'there') => {
    const { sent } = context[side];
    return isMade(value, context.made[side]) || (typeof value === 'string' && sent.has(value));
  };
  if (isOfOthers(here, there, context))
    return names.flatMap((name) =>
      isOfRun(here[name], 'here') && isOfRun(there[name], 'there')
        ? compareAt(here[name], there[name], [...path, name], context)
        : shapeOf(there[name], [...path, name], context),
    );
  const inMembers = names.flatMap((name) => compareAt(here[name], there[name], [...path, name], context));
  if (isTokenOfLast(here) && isTokenOfLast(there) === false)
    inMembers.push({
      ...differenceAt('form', [...path, TOKEN], undefined, there[TOKEN], context),
      here: OF_LAST,
    });
  const isOtherTime = inMembers.some(({ member }) => member === maskedMember([...path, CREATED]));
  if (isOtherTime) return inMembers;
  return [
    ...inMembers,
    ...createdAnotherTime(here, there, path, context),
    ...timesOutOfOrder(here, there, path, context),
  ];
}

const OF_LAST = 'the id of the last item';

/** An object was created at one time, however often it is read: not some seconds earlier the next time. */
function createdAnotherTime(
  here: Record<string, unknown>,
  there: Record<string, unknown>,
  path: Path,
  context: BodyContext,
): Found[] {
  const { pairs } = context;
  const [id, other] = [here['id'], there['id']];
  if (typeof id !== 'string' || typeof other !== 'string' || pairs.thereOf(id) !== other) return [];
  if (typeof here[CREATED] !== 'number' || typeof there[CREATED] !== 'number') return [];
  const isSame = pairs.join(`${id} created ${here[CREATED]}`, `${other} created ${there[CREATED]}`);
  const found = differenceAt('time', [...path, CREATED], undefined, undefined, context);
  return isSame ? [] : [{ ...found, here: 'the same as before', there: 'another than before' }];
}

/** Whether an object was there before the run, such as a terminal: only what the run has sent and made of it is the same. */
function isOfOthers(
  here: Record<string, unknown>,
  there: Record<string, unknown>,
  { made, isOwnAccount }: BodyContext,
): boolean {
  const isOther = (id: unknown, ids: ReadonlySet<string>) =>
    typeof id === 'string' && isIdLike(id) && !ids.has(id);
  return !isOwnAccount && isOther(here['id'], made.here) && isOther(there['id'], made.there);
}

const CREATED = 'createdTimestamp';

/** An object is created before all else that happens to it. */
function timesOutOfOrder(
  here: Record<string, unknown>,
  there: Record<string, unknown>,
  path: Path,
  context: BodyContext,
): Found[] {
  const isBefore = (object: Record<string, unknown>, name: string) => {
    const [created, other] = [object[CREATED], object[name]];
    return typeof created === 'number' && typeof other === 'number' && other < created;
  };
  return Object.keys(there)
    .filter((name) => name.endsWith('Timestamp') && isBefore(there, name) && !isBefore(here, name))
    .map((name) => differenceAt('time', [...path, name], `not before ${CREATED}`, 'before it', context));
}

function differenceOfScalars(
  here: unknown,
  there: unknown,
  path: Path,
  context: BodyContext,
): DifferenceKind | undefined {
  if (typeof here === 'string' && typeof there === 'string')
    return differenceOfTexts(here, there, path.at(-1) ?? '', context);
  if (typeof here === 'number' && typeof there === 'number' && isTimestamp(path, context))
    return differenceOfTimes(here, there, context);
  return here === there ? undefined : 'value';
}

function isTimestamp(path: Path, { api, declared }: BodyContext): boolean {
  if (/(Timestamp|Date)$|^(when|availableAt|respondBy)$/.test(path.at(-1) ?? '')) return true;
  return api.at(declared, path).some(({ description }) => String(description).includes('Unix timestamp'));
}

/** Returns in what a value of the other server, which none of ours stands beside, differs from what our documents say. */
function shapeOf(value: unknown, path: Path, context: BodyContext): Found[] {
  const schemas = context.api.at(context.declared, path);
  if (schemas.length === 0 || value === null || value === undefined) return [];
  const types = schemas.every(({ type }) => typeof type === 'string')
    ? schemas.map(({ type }) => String(type))
    : [];
  const type = typeOf(value) === 'number' && !types.includes('number') ? 'integer' : typeOf(value);
  const isWrong = types.length > 0 && !types.includes(type);
  const at = (kind: DifferenceKind, place: Path, here: string, there: string): Found => ({
    // What others made is not shown: it may be about people.
    ...differenceAt(kind, place, undefined, undefined, context),
    here,
    there,
  });
  if (isWrong) return [at('type', path, `of type ${types.join(' or ')}`, `of type ${type}`)];
  if (!isObject(value)) return [];
  const required = schemas.length === 1 ? schemas[0]!['required'] : [];
  const names = new Set([
    ...Object.keys(value),
    ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  ]);
  return [...names].flatMap((name) => {
    const place = [...path, name];
    if (!(name in value)) return [at('missing', place, 'always present', 'absent')];
    if (context.api.at(context.declared, place).length === 0)
      return [at('added', place, 'absent', `of type ${typeOf(value[name])}`)];
    return shapeOf(value[name], place, context);
  });
}

function differenceAt(
  kind: DifferenceKind,
  path: Path,
  here: unknown,
  there: unknown,
  { api, declared, ...moments }: BodyContext,
): Found {
  const schemas = api.at(declared, path);
  const extension = schemas.map((schema) => schema['x-tapbench-extension'])[0];
  return {
    kind,
    member: maskedMember(path),
    here: maskedMemberValue(path, here, moments.here.run.unique),
    there: maskedMemberValue(path, there, moments.there.run.unique),
    extension: typeof extension === 'string' ? extension : null,
    isUnknown: declared.length > 0 && schemas.length === 0,
  };
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
