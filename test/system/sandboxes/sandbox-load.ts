import { expect } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { orUndefined } from '../stores/kill-points.ts';
import type { StoredSandboxes } from './stored-sandboxes.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

/** What a test knows of a sandbox that it creates and deletes while the server may be killed. */
interface KnownSandbox {
  name: string;
  /** `changing` from the request to create or delete it until the reply. */
  state: 'changing' | 'there' | 'deleted';
  /** Defined once the reply to its creation has it. */
  secretKey?: string;
  /** Its terminal, likewise. */
  terminalId?: string;
  /** Payment session that the server acknowledged to have begun at the terminal. */
  paymentSessionId?: string;
  /** Customers that the server acknowledged, in it or in its source before it was forked. */
  customers: Json[];
}

/** Creates, forks, restores, fills and deletes sandboxes, takes payments in them, and checks after a kill that each is there as a whole or not at all. */
export interface SandboxLoad {
  /** Creates a sandbox with objects and a captured payment that stays until the end. */
  keep(name: string): Promise<void>;
  /** Makes a snapshot of the first sandbox that stays, which `run` then restores too. */
  save(): Promise<void>;
  /** Creates, forks, restores and deletes at once until the server no longer replies. */
  run(): Promise<void>;
  /** How many sandboxes the server has created and deleted since the last call of `run`. */
  readonly acknowledged: number;
  /** Checks every sandbox, and deletes those that are not kept. */
  check(): Promise<void>;
  /** How many sandboxes were found whole and how many absent whose change the kill interrupted. */
  readonly interrupted: { whole: number; absent: number };
  /** How many acknowledged payments were found in their sandboxes. */
  readonly paymentsFound: number;
}

const CUSTOMERS = 3;

/** Begins the name of each sandbox that is not kept. */
const PASSING = 'passing-';

export function createSandboxLoad(tapbench: Tapbench, stored: StoredSandboxes): SandboxLoad {
  const kept: KnownSandbox[] = [];
  let passing: KnownSandbox[] = [];
  const interrupted = { whole: 0, absent: 0 };
  let snapshot: string | undefined;
  let count = 0;
  let acknowledged = 0;
  let paymentsFound = 0;

  const withKey = (secretKey: string | undefined, method: string, path: string, body?: object) =>
    tapbench.api(method, path, body, { authorization: secretKey ?? '' });

  /** Creates a sandbox, forks one or restores its snapshot. Returns undefined when the server was killed. */
  async function create(
    name: string,
    source?: KnownSandbox,
    from = source?.name,
  ): Promise<KnownSandbox | undefined> {
    const sandbox: KnownSandbox = { name, state: 'changing', customers: [...(source?.customers ?? [])] };
    (name.startsWith(PASSING) ? passing : kept).push(sandbox);
    const body = { name, ...(from !== undefined && { from }) };
    const answer = await orUndefined(tapbench.api('POST', '/sandboxes', body));
    if (!answer) return undefined;
    expect([name, answer.status, answer.body.errors]).toEqual([name, 200, undefined]);
    acknowledged += 1;
    const { secretKey, terminals } = answer.body;
    return Object.assign(sandbox, { state: 'there', secretKey, terminalId: terminals[0].id });
  }

  async function fill(sandbox: KnownSandbox): Promise<void> {
    for (let index = 0; index < CUSTOMERS; index++) {
      const body = { email: `${sandbox.name}-${index}@example.com` };
      const answer = await orUndefined(withKey(sandbox.secretKey, 'POST', '/v1/customers', body));
      if (!answer) return;
      expect([sandbox.name, answer.status]).toEqual([sandbox.name, 200]);
      sandbox.customers.push(answer.body);
    }
  }

  /** Begins a payment at the terminal, which starts meanwhile. */
  async function pay(sandbox: KnownSandbox): Promise<void> {
    const path = `/v1/in-person/terminals/${sandbox.terminalId}/payment`;
    const body = { amounts: { requested: 1742 }, currency: 'GBP' };
    const answer = await orUndefined(withKey(sandbox.secretKey, 'POST', path, body));
    if (!answer) return;
    expect([sandbox.name, answer.status, answer.body.errors]).toEqual([sandbox.name, 200, undefined]);
    sandbox.paymentSessionId = answer.body.action.transaction.paymentSessionId;
  }

  async function remove(sandbox: KnownSandbox): Promise<boolean> {
    sandbox.state = 'changing';
    const answer = await orUndefined(tapbench.api('DELETE', `/sandboxes/${sandbox.name}`));
    if (!answer) return false;
    expect([sandbox.name, answer.status]).toEqual([sandbox.name, 200]);
    acknowledged += 1;
    sandbox.state = 'deleted';
    return true;
  }

  /** Creates one sandbox after another, and deletes each when the next one is there. */
  async function loop(source?: KnownSandbox, from?: string): Promise<void> {
    for (let before: KnownSandbox | undefined; ;) {
      const made = await create(`${PASSING}${count++}`, source, from);
      if (!made) return;
      await pay(made);
      const filled = fill(made);
      const deleted = before === undefined || (await remove(before));
      await filled;
      if (!deleted) return;
      before = made;
    }
  }

  async function expectWhole(sandbox: KnownSandbox): Promise<void> {
    const secretKey = sandbox.secretKey ?? (await stored.secretKeyOf(sandbox.name));
    const { body } = await withKey(secretKey, 'GET', '/v1/customers?limit=50&ascending=true');
    const others = body.items.length - sandbox.customers.length;
    expect([sandbox.name, body.items.slice(0, sandbox.customers.length)]).toEqual([
      sandbox.name,
      sandbox.customers,
    ]);
    // One that was being created when the server was killed.
    expect([sandbox.name, others === 0 || others === 1]).toEqual([sandbox.name, true]);
    const { paymentSessionId } = sandbox;
    if (paymentSessionId !== undefined) {
      const session = await withKey(secretKey, 'GET', `/v1/payment-sessions/${paymentSessionId}`);
      expect([sandbox.name, session.status]).toEqual([sandbox.name, 200]);
      paymentsFound += 1;
    }
    await waitFor(`the terminal of ${sandbox.name} to be online`, async () => {
      const terminals = await withKey(secretKey, 'GET', '/sandbox/terminals');
      return terminals.body.items.length === 1 && terminals.body.items[0].online;
    });
  }

  async function expectAbsent({ name, secretKey }: KnownSandbox): Promise<void> {
    if (!secretKey) return;
    expect([name, (await withKey(secretKey, 'GET', '/v1/customers')).status]).toEqual([name, 403]);
  }

  return {
    interrupted,
    async keep(name) {
      const sandbox = await create(name);
      await fill(sandbox!);
      await pay(sandbox!);
      // A fork of a terminal with an action in progress would refuse the payments of `run`.
      await waitFor(`the payment in ${name} to be captured`, async () => {
        const path = `/v1/payment-sessions/${sandbox!.paymentSessionId}`;
        return (await withKey(sandbox!.secretKey, 'GET', path)).body.status === 'Captured';
      });
    },
    async save() {
      const { status, body } = await tapbench.api('POST', `/sandboxes/${kept[0]!.name}/snapshots`);
      expect(status).toBe(200);
      snapshot = body.id;
    },
    get paymentsFound() {
      return paymentsFound;
    },
    get acknowledged() {
      return acknowledged;
    },
    async run() {
      acknowledged = 0;
      const loops = [loop(), loop(kept[0]), loop(kept[0])];
      if (snapshot !== undefined) loops.push(loop(kept[0], snapshot));
      await Promise.all(loops);
    },
    async check() {
      const { body } = await tapbench.api('GET', '/sandboxes');
      const listed: string[] = body.items.map(({ name }: Json) => name);
      expect((await stored.names()).sort()).toEqual(listed.filter((name) => name !== 'default').sort());
      for (const sandbox of [...kept, ...passing]) {
        const isThere = listed.includes(sandbox.name);
        if (sandbox.state === 'changing') interrupted[isThere ? 'whole' : 'absent'] += 1;
        else expect([sandbox.name, isThere]).toEqual([sandbox.name, sandbox.state === 'there']);
        await (isThere ? expectWhole(sandbox) : expectAbsent(sandbox));
      }
      for (const name of listed.filter((each) => each.startsWith(PASSING)))
        expect((await tapbench.api('DELETE', `/sandboxes/${name}`)).status).toBe(200);
      passing = [];
    },
  };
}
