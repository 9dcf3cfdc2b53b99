import { expect, onTestFinished, test } from 'vitest';
import { Metadata, Nullable, Type } from '../../protocol/schema.ts';
import { readPage } from '../../server/platform/http/paging.ts';
import { CREATED, UPDATED } from '../../server/platform/http/openapi/object-schemas.ts';
import { storedObjects } from '../../server/platform/store/stored-objects.ts';
import type { Properties } from '../../server/platform/store/stored-property.ts';
import type { LockedTable } from '../../server/platform/store/guards.ts';
import { UniqueViolation, type Store, type Transaction } from '../../server/platform/store/store.ts';

const BOAT = {
  name: { schema: Type.String(), column: 'name', create: 'required', update: 'set' },
  yard: { schema: Type.String(), column: 'yard', fixed: true, reply: 'hidden' },
  length: { schema: Type.Integer(), column: 'length_cm', create: 'optional', update: 'set' },
  isSold: { schema: Type.Boolean(), column: 'is_sold', initial: false },
  owner: {
    schema: Type.String(),
    column: 'owner',
    update: Nullable(Type.String()),
    reply: Nullable(Type.String()),
  },
  /** Not shown. */
  key: { schema: Type.String(), column: 'key_text', always: true, reply: 'hidden' },
  crew: { reply: Type.Integer() },
  metadata: { schema: Metadata(10), column: 'metadata', create: 'optional', update: 'set', initial: {} },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

const boats = storedObjects(
  { table: 'boats', deletable: { erased: { key_text: '' } }, compared: ['length_cm', 'is_sold'] },
  BOAT,
);

const VOYAGE = {
  boat: { schema: Type.String(), column: 'boat_id', always: true, owner: true, reply: 'hidden' },
  port: {
    schema: Type.String(),
    column: 'port',
    reply: Type.Object({ name: Type.String() }),
    toReply: (name: string) => ({ name }),
  },
  crew: { reply: Type.Optional(Type.Integer()) },
  days: { schema: Type.Integer(), column: 'days', later: true },
  weather: { schema: Type.String(), column: 'weather', ofNull: 'calm' },
} as const satisfies Properties;

const voyages = storedObjects({ table: 'voyages', times: ['created_ms'] }, VOYAGE);

const TABLE = `CREATE TABLE boats (seq BIGINT, id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL UNIQUE, yard TEXT,
  length_cm BIGINT, is_sold INTEGER NOT NULL, owner TEXT, key_text TEXT NOT NULL, metadata TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`;

const VOYAGES = `CREATE TABLE voyages (seq BIGINT, id TEXT PRIMARY KEY, boat_id TEXT NOT NULL, port TEXT, days BIGINT,
  weather TEXT, created_ms BIGINT NOT NULL)`;

/** The table of terminals has locks (`WRITE_LOCKS`): of the location for a new one, of itself for a change. */
const terminals = storedObjects({ table: 'terminals', deletable: {} }, {
  name: { schema: Type.String(), column: 'name', always: true },
  locationId: { schema: Type.String(), column: 'location_id', always: true },
} as const satisfies Properties);

const TERMINALS = `CREATE TABLE terminals (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL, location_id TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL)`;

const SLOOP = { id: 'bt_1', accountId: 'ac_1', name: 'Sloop', key: 'k' };

/** What stored objects promise on every store. `open` makes a new, empty store. */
export function storedObjectsContract(open: () => Promise<Store>): void {
  async function harbour(): Promise<Store> {
    const store = await open();
    onTestFinished(() => store.close());
    await store.run(TABLE);
    return store;
  }

  test('stored objects: a new object has what it was given, and what it starts with', async () => {
    const store = await harbour();
    const row = await store.transaction((tx) => boats.insert(tx, { ...SLOOP, length: 900 }, 1_500));
    const stored = await boats.find(store, 'ac_1', 'bt_1');
    expect(stored).toMatchObject(row);
    expect(boats.show(stored!, { crew: 3 })).toEqual({
      id: 'bt_1',
      name: 'Sloop',
      length: 900,
      isSold: false,
      owner: null,
      crew: 3,
      metadata: {},
      createdTimestamp: 1,
      lastUpdatedTimestamp: 1,
    });
  });

  test('stored objects: a reply has its properties in the order of their declaration, and none for null', async () => {
    const store = await harbour();
    const row = await store.transaction((tx) => boats.insert(tx, { ...SLOOP, metadata: { a: 'b' } }, 0));
    const shown = boats.show(row, { crew: 0 });
    const names = 'id name isSold owner crew metadata createdTimestamp lastUpdatedTimestamp';
    expect(Object.keys(shown).join(' ')).toBe(names);
    expect(shown.metadata).toEqual({ a: 'b' });
  });

  test('stored objects: an update changes what it is given, null clears, and a deleted object has none', async () => {
    const store = await harbour();
    await store.transaction((tx) => boats.insert(tx, { ...SLOOP, length: 900, owner: 'Ana' }, 0));
    const update = (change: Parameters<typeof boats.update>[2], nowMs: number) =>
      store.transaction((tx) => boats.update(tx, 'bt_1', change, nowMs));
    expect(await update({ name: 'Ketch', isSold: true, metadata: { a: 'b' } }, 5)).toMatchObject({
      name: 'Ketch',
      is_sold: 1,
      owner: 'Ana',
      length_cm: 900,
      updated_ms: 5,
    });
    expect(await update({ owner: null, length: undefined }, 6)).toMatchObject({
      owner: null,
      length_cm: 900,
    });
    expect(await update({}, 7)).toMatchObject({ name: 'Ketch', updated_ms: 7 });
    const remove = () => store.transaction((tx) => boats.delete(tx, 'bt_1', 8));
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect(await update({ name: 'Yawl' }, 9)).toBeUndefined();
    expect(await boats.find(store, 'ac_1', 'bt_1')).toBeUndefined();
    expect(await store.get('SELECT key_text, updated_ms FROM boats')).toEqual({
      key_text: '',
      updated_ms: 8,
    });
  });

  test('stored objects: are found by their account, or any, and listed', async () => {
    const store = await harbour();
    await store.transaction((tx) => boats.insert(tx, SLOOP, 0));
    expect(await boats.find(store, 'ac_2', 'bt_1')).toBeUndefined();
    expect((await boats.findAny(store, 'bt_1'))?.name).toBe('Sloop');
    const list = (accountId: string) => readPage(store, boats.listOf(accountId), {});
    expect((await list('ac_1')).rows).toHaveLength(1);
    expect((await list('ac_2')).rows).toEqual([]);
    await store.transaction((tx) => boats.delete(tx, 'bt_1', 1));
    expect((await list('ac_1')).rows).toEqual([]);
  });

  test('stored objects: are found and listed where their rows meet a condition', async () => {
    const store = await harbour();
    await store.transaction((tx) => boats.insert(tx, SLOOP, 0));
    const named = (name: string) => ({ where: 'name = ?', parameters: [name] });
    expect(await boats.findWithin(store, named('Ketch'), 'bt_1')).toBeUndefined();
    expect((await boats.findWithin(store, named('Sloop'), 'bt_1'))?.id).toBe('bt_1');
    const list = (name: string) => readPage(store, boats.listWithin(named(name)), {});
    expect((await list('Sloop')).rows).toHaveLength(1);
    expect((await list('Ketch')).rows).toEqual([]);
    await store.transaction((tx) => boats.delete(tx, 'bt_1', 1));
    expect(await boats.findWithin(store, named('Sloop'), 'bt_1')).toBeUndefined();
    expect((await list('Sloop')).rows).toEqual([]);
  });

  test('stored objects: an update from a row changes nothing when a compared column has changed', async () => {
    const store = await harbour();
    const before = await store.transaction((tx) => boats.insert(tx, { ...SLOOP, length: 900 }, 0));
    const sell = () =>
      store.transaction((tx) => boats.updateFrom(tx, before, { isSold: true, owner: 'Ana' }, 1));
    expect(await sell()).toMatchObject({ is_sold: 1, owner: 'Ana', length_cm: 900, updated_ms: 1 });
    expect(await sell()).toBeUndefined();
    expect(await boats.find(store, 'ac_1', 'bt_1')).toMatchObject({ updated_ms: 1 });
  });

  test('stored objects: a transaction with guards writes a row after it has locked what holds it', async () => {
    const store = await harbour();
    await store.run('CREATE TABLE locations (id TEXT PRIMARY KEY)');
    await store.run(TERMINALS);
    const till = { id: 'tml_1', accountId: 'ac_1', name: 'Till', locationId: 'loc_1' };
    const guarded = <T>(locks: readonly [LockedTable, string][], write: (tx: Transaction) => Promise<T>) =>
      store.transaction(
        async (tx) => {
          for (const [table, id] of locks) tx.lockRow(table, id);
          return write(tx);
        },
        { guardedBy: [] },
      );
    const unlocked = (table: string) => `a row of ${table} is changed without its lock`;
    const insert = (tx: Transaction) => terminals.insert(tx, till, 0);
    const own = ['terminals', 'tml_1'] as const satisfies [LockedTable, string];
    await expect(guarded([['locations', 'loc_2']], insert)).rejects.toThrow(unlocked('locations'));
    const row = await guarded([['locations', 'loc_1']], insert);

    const change = (tx: Transaction) => terminals.update(tx, 'tml_1', { name: 'Bar' }, 1);
    const move = (tx: Transaction) => terminals.update(tx, 'tml_1', { locationId: 'loc_2' }, 2);
    const changeFrom = (tx: Transaction) => terminals.updateFrom(tx, row, { name: 'Bar' }, 1);
    const remove = (tx: Transaction) => terminals.delete(tx, 'tml_1', 3);
    const save = async (tx: Transaction) => terminals.save(tx, row, { ...row, name: 'Bar' });
    const writes: ((tx: Transaction) => Promise<unknown>)[] = [change, changeFrom, remove, save];
    for (const write of writes) await expect(guarded([], write)).rejects.toThrow(unlocked('terminals'));
    await expect(guarded([own], move)).rejects.toThrow(unlocked('locations'));
    expect(await terminals.findAny(store, 'tml_1')).toMatchObject({ ...row, deleted: 0 });

    await guarded([own], save);
    expect(await guarded([own], change)).toMatchObject({ name: 'Bar' });
    expect(await guarded([['locations', 'loc_2'], own], move)).toMatchObject({ location_id: 'loc_2' });
    expect(await guarded([own], remove)).toBe(true);
  });

  test('stored objects: several are inserted by one statement', async () => {
    const store = await harbour();
    const fleet = ['Sloop', 'Ketch', 'Yawl'].map((name, index) => ({ ...SLOOP, id: `bt_${index}`, name }));
    await store.transaction((tx) => boats.insertAll(tx, fleet, 1_500));
    expect(await boats.find(store, 'ac_1', 'bt_2')).toMatchObject({
      name: 'Yawl',
      is_sold: 0,
      owner: null,
      metadata: '{}',
      created_ms: 1_500,
    });
    expect((await readPage(store, boats.listOf('ac_1'), {})).rows).toHaveLength(3);
  });

  test('stored objects: a row is saved, but for what is fixed; a compared column that has changed undoes the transaction', async () => {
    const store = await harbour();
    const before = await store.transaction((tx) =>
      boats.insert(tx, { ...SLOOP, length: 900, yard: 'Cork' }, 0),
    );
    const save = (after: typeof before) => store.transaction(async (tx) => boats.save(tx, before, after));
    const sold = { is_sold: 1, owner: 'Ana', updated_ms: 5 };
    await save({ ...before, ...sold, yard: 'Bantry' });
    const saved = { ...sold, yard: 'Cork' };
    expect(await boats.find(store, 'ac_1', 'bt_1')).toMatchObject(saved);
    await expect(save({ ...before, owner: 'Ben' })).rejects.toThrow(/^0 rows changed: .*\bUPDATE boats/);
    expect(await boats.find(store, 'ac_1', 'bt_1')).toMatchObject(saved);
    expect(await boats.find(store, 'ac_1', 'bt_1')).toMatchObject(saved);
  });

  test('stored objects: belong to the object that a property names', async () => {
    const store = await harbour();
    await store.run(VOYAGES);
    const voyage = { id: 'vo_1', boat: 'bt_1', port: 'Cork' };
    const row = await store.transaction((tx) => voyages.insert(tx, voyage, 0));
    expect(await voyages.find(store, 'bt_2', 'vo_1')).toBeUndefined();
    expect(await voyages.find(store, 'bt_1', 'vo_1')).toMatchObject(row);
    expect((await readPage(store, voyages.listOf('bt_1'), {})).rows).toHaveLength(1);
    expect((await readPage(store, voyages.listOf('bt_2'), {})).rows).toEqual([]);
    const shown = { id: 'vo_1', port: { name: 'Cork' }, weather: 'calm' };
    expect(voyages.show(row, { crew: 2 })).toEqual({ ...shown, crew: 2 });
    expect(voyages.show(row, {})).toEqual(shown);
  });

  test('stored objects: a reply has a declared value for null', async () => {
    const voyage = { id: 'vo_1', boat: 'bt_1', port: 'Cork' };
    expect(voyages.show(voyages.newRow({ ...voyage, weather: 'storm' }, 0)).weather).toBe('storm');
    expect(voyages.show(voyages.newRow(voyage, 0)).weather).toBe('calm');
  });

  test('stored objects: all of an owner are returned in the order of their insertion', async () => {
    const store = await harbour();
    await store.transaction(async (tx) => {
      for (const [index, name] of ['Sloop', 'Ketch', 'Yawl', 'Brig'].entries()) {
        const accountId = name === 'Brig' ? 'ac_2' : 'ac_1';
        const row = await boats.insert(tx, { id: `bt_${9 - index}`, accountId, name, key: 'k' }, 0);
        await tx.run('UPDATE boats SET seq = ? WHERE id = ?', index, row.id);
      }
      await boats.delete(tx, 'bt_8', 1);
    });
    expect((await boats.allOf(store, 'ac_1')).map(({ name }) => name)).toEqual(['Sloop', 'Yawl']);
  });

  test('stored objects: a property that comes later is null in a new object', async () => {
    const store = await harbour();
    await store.run(VOYAGES);
    const row = voyages.newRow({ id: 'vo_1', boat: 'bt_1', port: 'Cork' }, 0);
    await store.transaction((tx) => voyages.insertRow(tx, { ...row, port: 'Bantry' }));
    expect(row.days).toBeNull();
    expect(await voyages.find(store, 'bt_1', 'vo_1')).toMatchObject({ ...row, port: 'Bantry' });
    const later = { ...row, days: 3 };
    await store.transaction(async (tx) => voyages.save(tx, row, later));
    expect(await voyages.find(store, 'bt_1', 'vo_1')).toMatchObject(later);
  });

  test('stored objects: a unique index refuses a second one', async () => {
    const store = await harbour();
    const twin = { ...SLOOP, id: 'bt_2' };
    await store.transaction((tx) => boats.insert(tx, SLOOP, 0));
    await expect(store.transaction((tx) => boats.insert(tx, twin, 0))).rejects.toBeInstanceOf(
      UniqueViolation,
    );
    expect(await store.transaction((tx) => boats.insertUnlessTaken(tx, twin, 0))).toBeUndefined();
    const yawl = { ...twin, name: 'Yawl' };
    expect(await store.transaction((tx) => boats.insertUnlessTaken(tx, yawl, 0))).toMatchObject({
      id: 'bt_2',
    });
  });
}
