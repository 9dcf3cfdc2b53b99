import { expect } from 'vitest';
import { fillReferences } from '../../cli/trigger/trigger-event.ts';
import { PACES } from '../../protocol/clock.ts';
import type { Answer, Api } from '../../testing/world/api.ts';
import { CARDS, card as cardDetails, openCheckout } from '../kit/checkout.ts';
import type { Receiver, Till, UserWorld } from '../../testing/world/user-world.ts';

// oxlint-disable-next-line no-explicit-any -- steps and replies have any members
type Json = any;

export interface Step {
  do: string;
  [member: string]: Json;
}

/** Virtual time for what needs some, such as a connection that is made again. Clients on a server wait as long. */
const WAIT_SECONDS = 20;

const ONLINE_CARDS: Record<string, object> = {
  approved: cardDetails(),
  challenged: cardDetails(CARDS.challenge),
  declined: cardDetails(CARDS.declining, { cvc: '100' }),
};

/** What a scenario runs on: a world with one till, and a webhook for all events. */
export interface ScenarioParts {
  world: UserWorld;
  till: Till;
  shop: Receiver & { secret: string };
}

/**
 * Runs the steps of a scenario of clients/scenarios.json with the helpers of `tapbench/world`.
 * @throws for a step that is not known
 */
export async function runScenario(
  parts: ScenarioParts,
  steps: readonly Step[],
  saved: Json = {},
): Promise<void> {
  const { world, till } = parts;
  const run: Run = {
    ...parts,
    saved: {
      ...saved,
      sandbox: { subAccountId: world.subAccountId },
      terminal: { id: till.terminal.terminalId },
    },
  };
  for (const step of steps) {
    const perform = STEPS[step.do];
    if (!perform) throw new Error(`unknown step: ${step.do}`);
    const { steps: nested, ...members } = step;
    await perform(run, { ...fillReferences(members, run.saved), ...(nested && { steps: nested }) });
    await world.settled();
  }
}

interface Run extends ScenarioParts {
  saved: Json;
}

const STEPS: Record<string, (run: Run, step: Json) => Promise<unknown>> = {
  async pay(run, { amount, with: more }) {
    const receipts = more?.settings?.receiptPrintingSource;
    started(run, await run.till.pay(amount, { ...(receipts && { receipts }) }));
  },
  refund: async (run, { amount }) =>
    started(run, await run.till.refund(run.saved.session.id, { ...(amount && { amount }) })),
  cancel: async ({ till }) => good(await till.cancel()),
  async 'confirm-receipt'({ till }, { copy }) {
    await till.reaches(copy === 'merchantCopy' ? 'awaitingMerchantReceipt' : 'awaitingCustomerReceipt');
    good(await till.confirm({ [copy]: { status: 'Succeeded' } }));
  },
  async present(run, { card }) {
    await run.till.reaches('awaitingCard');
    expect(run.till.terminal.perform({ act: 'present-card', card })).toMatchObject({ ok: true });
  },
  'enter-pin': (run, { pin }) => press(run, [...pin, 'enter']),
  press: (run, { keys }) => press(run, keys),
  reaches: ({ till }, { state }) => till.reaches(state),
  async ends(run, { expect: expected }) {
    const ended = await eventually(run, 'the action has ended', async () => {
      const action = await run.till.action();
      return action.status === 'InProgress' ? undefined : action;
    });
    expect(ended).toMatchObject(expected);
  },
  paper: async ({ till }, { sheets }) => till.terminal.perform({ act: 'paper', sheets }),
  network: async ({ till }, { on }) => till.terminal.perform({ act: 'network', state: on ? 'on' : 'off' }),
  reader: async ({ till }, { on }) =>
    till.terminal.perform({ act: 'reader', state: on ? 'plugged-in' : 'unplugged' }),
  'remove-card': async ({ till }) => till.terminal.perform({ act: 'remove-card' }),
  async cardholder({ till }, script) {
    expect(till.terminal.perform({ act: 'cardholder', ...script })).toMatchObject({ ok: true });
  },
  'comes-online': (run) => eventually(run, 'the terminal is online', () => run.till.terminal.online),
  async receipt({ world, till }, { expect: expected }) {
    const { id } = await till.action();
    expect(good(await world.api.get(`/sandbox/actions/${id}/receipt`))).toMatchObject(expected);
  },
  power: async ({ till }, { on }) => till.terminal.perform({ act: 'power', state: on ? 'on' : 'off' }),

  async checkout(run, { amount, card, with: more, account, expect: expected = {} }) {
    const { world, saved } = run;
    const checkout = openCheckout(apiOf(world, account), apiOf(world, account).withKey(world.publicKey));
    const session = await checkout.session({ amount, ...more });
    const paid = good(await checkout.attempt(session, { cardDetails: ONLINE_CARDS[card] }));
    saved.session = { ...session, ...paid };
    expect(saved.session).toMatchObject(expected);
  },
  async attempt({ world, saved }, { session = saved.session, card, expect: expected }) {
    const checkout = openCheckout(world.api.withKey(world.publicKey));
    saved.session = {
      ...session,
      ...good(await checkout.attempt(session, { cardDetails: ONLINE_CARDS[card] })),
    };
    expect(saved.session).toMatchObject(expected);
  },
  async 'answer-challenge'({ world, saved: { session } }, { code, expect: expected }) {
    const { acsUrl, cReq } = session.requiredAction.challenge;
    const page = await postForm(world, acsUrl, { creq: cReq });
    const [, action] = /<form[^>]+action="([^"]+)"/.exec(page)!;
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
    await postForm(world, action!, { ...fields, answer: code ? 'approve' : 'cancel', code });
    expect(good(await world.api.get(`/v1/payment-sessions/${session.id}`))).toMatchObject(expected);
  },

  async call({ world, saved }, { path, account, save, expect: expected = {}, refused, ...request }) {
    const { method, body, idempotencyKey } = request;
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const answer = await apiOf(world, account).raw(method, path, body && JSON.stringify(body), headers);
    if (refused) {
      const seen = { status: answer.status, code: answer.body.errors?.[0].code };
      return expect(seen).toMatchObject(refused);
    }
    expect(good(answer)).toMatchObject(expected);
    if (save) saved[save] = answer.body;
  },
  eventually: (run, { path, account, expect: expected }) =>
    eventually(run, `${path} is ${JSON.stringify(expected)}`, async () =>
      matches((await apiOf(run.world, account).get(path)).body, expected),
    ),
  advance: ({ world }, { days = 0, minutes = 0, seconds = 0 }) =>
    world.advance({ minutes: days * 24 * 60 + minutes, seconds }),
  async receives(run, { type, count = 1, expect: expected = {}, advancing }) {
    if (advancing) await run.world.advance(advancing);
    await eventually(run, `${count} × ${type} arrived`, () => {
      const events = run.shop.deliveries.map(({ event }) => event);
      const found = events.filter(({ eventType, data }) => eventType === type && matches(data, expected));
      return found.length >= count;
    });
    expect(run.shop.signedWith(run.shop.secret)).toBe(true);
  },
  async reply({ shop }, { statuses }) {
    const next = [...statuses];
    shop.behaviour = () => next.shift() ?? 200;
  },
  async fork({ world, till, shop, saved }, { steps, fails }) {
    expect([undefined, 'unstruck']).toContain(fails);
    const permits = steps.some((step: Step) => step.do === 'allow-unstruck');
    const fork = await world.fork({ allowUnstruck: permits });
    const receiver = Object.assign(fork.receiver('shop'), { secret: shop.secret });
    const parts = { world: fork, till: fork.tillOf(till.terminal.terminalId), shop: receiver };
    const failure = await runScenario(parts, steps, saved).catch((error: unknown) => error);
    const closed = fork.close();
    if (fails) await expect(closed).rejects.toThrow('which struck nothing');
    else await closed;
    if (failure) throw failure;
  },
  // Given when the world was forked.
  'allow-unstruck': async () => undefined,
  // A world has virtual time: no pace is slow there.
  pace: async (_run, { expect: expected }) => expect(PACES).toContain(expected),

  faults: ({ world }, { faults }) => world.faults(...faults),
  plan: async ({ world }, { plan }) =>
    expect(good(await world.api.post('/sandbox/faults', plan))).toMatchObject(plan),
  unstruck: async ({ world }, { expect: expected }) => expect(world.unstruck()).toMatchObject(expected),
  async download({ world }, { path }) {
    const { headers, body } = await world.api.raw('GET', path);
    expect([typeof body, headers['content-type']]).toEqual(['string', 'application/gzip']);
  },
};

function started(run: Run, answer: Answer): void {
  run.saved.session = { id: good(answer).action.transaction.paymentSessionId };
}

async function press({ world, till }: Run, keys: Json): Promise<void> {
  await world.until('the terminal accepts keys', () => {
    const { ok } = till.terminal.perform({ act: 'press-keys', keys });
    return ok;
  });
}

/** Waits for a truthy result, with as much virtual time as it takes. */
async function eventually<T>(
  { world }: Run,
  what: string,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  for (let seconds = 0; seconds < WAIT_SECONDS; seconds++) {
    await world.settled();
    const found = await look();
    if (found) return found;
    await world.advance({ seconds: 1 });
  }
  throw new Error(`not within ${WAIT_SECONDS} s: ${what}`);
}

function apiOf({ api }: UserWorld, account: string | undefined): Api {
  return account === undefined ? api : api.as(account);
}

async function postForm({ fetch }: UserWorld, url: string, fields: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return answer.text();
}

function good({ status, body }: Answer): Json {
  expect([Math.floor(status / 100), body.errors]).toEqual([2, undefined]);
  return body;
}

function matches(actual: Json, expected: Json): boolean {
  try {
    expect(actual).toMatchObject(expected);
    return true;
  } catch {
    return false;
  }
}
