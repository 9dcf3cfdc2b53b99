import { ID_FORMS, type IdKind } from '../../../protocol/ids.ts';
import { ALL_MESSAGES } from '../../../protocol/messages.ts';
import { ReportsBatched } from '../../../protocol/messages/inspection.messages.ts';
import { wordsOf } from '../../../protocol/schema.ts';
import { nearestName } from '../../../protocol/nearest-name.ts';
import type { Channel } from '../../../protocol/topics.ts';
import { FAILABLE_OPERATIONS } from '../../api/payments/settlement-failure.ts';
import { EVENT_TYPE_NAMES, whenRecorded } from '../../api/webhooks/event-types.ts';
import {
  CUT_POINTS,
  type CutPointName,
  type FaultName,
  type FaultNames,
} from '../../platform/faults/cut-points.ts';
import type { NameFilter, TextFilter } from '../../platform/faults/fault-members.ts';
import type { PlannedFault } from '../../platform/faults/fault-plan.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Services, TerminalMachineNames } from '../../platform/services.ts';
import type { Queries } from '../../platform/store/store.ts';
import type { ObjectRow, ObjectType } from '../objects/object-type.ts';
import { OBJECT_TYPES, typeNameOf, type ObjectTypeName, OBJECT_TYPE_NAMES } from '../objects/object-types.ts';
import { entriesOf, isKeyOf, isOneOf, keysOf, tableOf } from '../../../protocol/tables.ts';

/** What exists that a fault can ask for by its name. */
interface KnownNames extends TerminalMachineNames {
  /** Operations under `/v1`. */
  operations: readonly FaultName[];
}

const messagesOn = (channel: Channel): FaultName[] =>
  ALL_MESSAGES.flatMap(({ audience, channel: sentOn, name, summary }) =>
    audience === 'terminals' && sentOn === channel ? [{ name, text: summary.replaceAll('`', '') }] : [],
  );

const COMMANDS = messagesOn('commands');
// A fault strikes the reports of a batch, not the batch.
const REPORTS = messagesOn('reports').filter(({ name }) => name !== ReportsBatched.name);

const EVENT_TYPES = EVENT_TYPE_NAMES.map((name) => ({ name, text: `Sent when ${whenRecorded(name)}.` }));

/** Returns states with what a terminal does in each. */
const statesWith = ({ states, texts }: TerminalMachineNames): FaultName[] =>
  states.map((name) => ({ name, text: texts.states[name] ?? texts.states[name.split('.').at(-1)!] ?? '' }));

const effectsWith = ({ effects, texts }: TerminalMachineNames): FaultName[] =>
  effects.map((name) => ({ name, text: texts.effects[name] ?? '' }));

/** What each name is, and all names that there are at a place. */
const NAMES: Record<
  NameFilter,
  { what: string; at(place: CutPointName, known: KnownNames): readonly FaultName[] }
> = {
  operation: {
    what: 'an operation of the API',
    at: (place, { operations }) =>
      place === 'bank.settlement'
        ? operations.filter(({ name }) => FAILABLE_OPERATIONS.includes(name))
        : operations,
  },
  message: {
    what: 'a message that is sent there',
    at: (place) => (place === 'message.command' ? COMMANDS : REPORTS),
  },
  state: { what: 'a state of the machine of a terminal', at: (_place, known) => statesWith(known) },
  effect: { what: 'an effect of the machine of a terminal', at: (_place, known) => effectsWith(known) },
  eventType: { what: 'a type of event', at: () => EVENT_TYPES },
};

/** Kinds of objects whose ids occur at a place; of all kinds where it is not here. */
const ID_KINDS: Partial<Record<CutPointName, readonly ObjectTypeName[]>> = {
  'message.command': ['terminal', 'action'],
  'message.report': ['terminal'],
  'terminal.state': ['terminal', 'action'],
  'terminal.effect': ['terminal', 'action'],
  'device.message': ['terminal', 'action'],
  'device.charged': ['terminal', 'action'],
  'bank.authorisation': ['paymentSession', 'action', 'terminal'],
  'bank.renewal': ['subscription', 'paymentSession'],
  'bank.settlement': ['paymentSession'],
  'bank.payout': ['payout'],
  'bank.dispute': ['dispute', 'paymentSession'],
  'cardholder.card': ['terminal', 'action'],
  'cardholder.pin': ['terminal', 'action'],
  'cardholder.challenge': ['paymentSession'],
};

/** Returns the operations that a fault can ask for: those under `/v1`. */
export function faultOperations(routes: readonly Route[]): readonly FaultName[] {
  return routes.flatMap(({ surface, method, path, summary }) =>
    surface === 'v1' ? { name: `${method} ${path}`, text: summary.replace(/\.?$/, '.') } : [],
  );
}

/** Returns the names that a fault can ask for, by its place and member. */
export function faultNames(known: KnownNames): FaultNames {
  const namesAt = (at: CutPointName) =>
    CUT_POINTS[at].filters
      .filter((filter) => isKeyOf(NAMES, filter))
      .map((filter) => [filter, NAMES[filter].at(at, known)]);
  return tableOf(keysOf(CUT_POINTS), (at) => Object.fromEntries(namesAt(at)));
}

/** Ids of a kind that are offered, the newest. */
const OFFERED_IDS = 10;

/** Returns the names that a fault can ask for, with the newest objects of the sandbox whose ids occur at each place. */
export async function faultNamesAndIds(store: Queries, known: KnownNames): Promise<FaultNames> {
  const offered = OBJECT_TYPE_NAMES.map(async (kind) => [kind, await offeredIds(store, kind)] as const);
  const idsOf = new Map(await Promise.all(offered));
  const names = faultNames(known);
  return tableOf(keysOf(CUT_POINTS), (at) => {
    if (!isOneOf<TextFilter | 'untilAttempt'>(CUT_POINTS[at].filters, 'id')) return names[at];
    return { ...names[at], id: kindsAt(at).flatMap((kind) => idsOf.get(kind) ?? []) };
  });
}

async function offeredIds(store: Queries, kind: ObjectTypeName): Promise<FaultName[]> {
  const { table, listed = '1 = 1', label }: ObjectType = OBJECT_TYPES[kind];
  const rows = await store.all<ObjectRow>(
    `SELECT * FROM ${table} WHERE ${listed} ORDER BY id DESC LIMIT ${OFFERED_IDS}`,
  );
  const what = wordsOf(kind);
  return rows.map((row) => {
    const called = label?.(row) ?? '';
    return {
      name: row.id,
      text: `${what.charAt(0).toUpperCase()}${what.slice(1)}${called && `: ${called}`}.`,
    };
  });
}

const kindsAt = (at: CutPointName): readonly ObjectTypeName[] => ID_KINDS[at] ?? OBJECT_TYPE_NAMES;

/**
 * Refuses faults that would never strike, because what they name does not exist: an operation, a message, a state, an
 * effect, a type of event, or an object of the sandbox.
 * @throws Refusal `invalid_field`, with the name that is nearest to the given one
 */
export async function refuseUnknownNames(
  { store, terminalMachine }: Pick<Services, 'store' | 'terminalMachine'>,
  faults: readonly PlannedFault[],
  operations: readonly FaultName[],
): Promise<void> {
  for (const [index, { at, when = {} }] of faults.entries()) {
    const refuse = (filter: TextFilter, problem: string) => {
      throw new Refusal('invalid_field', { field: `faults.${index}.when.${filter}`, problem });
    };
    for (const [name, { what, at: namesAt }] of entriesOf(NAMES)) {
      const typed = when[name];
      const names = namesAt(at, { ...terminalMachine, operations }).map((each) => each.name);
      if (typed !== undefined && !names.includes(typed)) refuse(name, `must be ${what}${hint(typed, names)}`);
    }
    const problem = when.id === undefined ? undefined : await problemOfId(store, at, when.id);
    if (problem !== undefined) refuse('id', problem);
  }
}

const hint = (typed: string, names: readonly string[]) => {
  const nearest = nearestName(typed, names) ?? names[0];
  return nearest === undefined ? '' : `, such as ${nearest}`;
};

/** Ids of a kind that one which does not exist is compared with, the newest. */
const COMPARED_IDS = 100;

async function problemOfId(store: Queries, at: CutPointName, id: string): Promise<string | undefined> {
  const kind = typeNameOf(id);
  const kinds = kindsAt(at);
  if (kind === undefined || !kinds.includes(kind)) {
    const prefixes = kinds.map((each: IdKind) => `${ID_FORMS[each].prefix}...`).join(', ');
    return `must be the id of an object that a fault at ${at} can concern: ${prefixes}`;
  }
  const { table } = OBJECT_TYPES[kind];
  if (await store.get(`SELECT id FROM ${table} WHERE id = ?`, id)) return undefined;
  const rows = await store.all<{ id: string }>(
    `SELECT id FROM ${table} ORDER BY id DESC LIMIT ${COMPARED_IDS}`,
  );
  const nearest = nearestName(
    id,
    rows.map((row) => row.id),
  );
  return `must be the id of an object of the sandbox${nearest === undefined ? '' : `, such as ${nearest}`}`;
}
