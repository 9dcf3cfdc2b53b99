import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countFrom } from '../../kit/count-from.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { BALANCE_RACES } from './balance-races.ts';
import { CHARGEBACK_RACES } from './chargeback-races.ts';
import { OBJECT_RACES } from './object-races.ts';
import { ONLINE_RACES } from './online-races.ts';
import type { Race } from './race.ts';
import { startOneServer, startTwoServers, type RacingServers } from './racing-servers.ts';
import { ledgerProblems, openRacingShop, type RacingShop } from './racing-shop.ts';
import { SESSION_RACES } from './session-races.ts';
import { TERMINAL_RACES } from './terminal-races.ts';
import { runRounds } from './rounds.ts';

const RACES: readonly Race[] = [
  ...SESSION_RACES,
  ...ONLINE_RACES,
  ...BALANCE_RACES,
  ...CHARGEBACK_RACES,
  ...OBJECT_RACES,
  ...TERMINAL_RACES,
];

const SEED = process.env['SEED'] ?? 'one';
const ROUNDS = countFrom('ROUNDS', 1);
const REQUESTS = countFrom('REQUESTS', 20);

const STORES = [
  ['two servers on PostgreSQL and mosquitto', startTwoServers],
  ['one server on the embedded store', startOneServer],
] as const;

describe.each(STORES)('money races: %s', (_name, start) => {
  const fixture = createSystemFixture();
  let servers: RacingServers;
  let shop: RacingShop;
  beforeAll(async () => {
    servers = await start(fixture);
    shop = openRacingShop(servers, SEED);
  });
  afterAll(() => fixture.cleanUp());

  test.each(RACES)(
    '$name: end as some order of them does',
    async (race) => {
      await runRounds(shop, race, { rounds: ROUNDS, requests: REQUESTS });
    },
    60_000 + ROUNDS * 10_000,
  );

  test('the ledger is balanced when the servers have ended', async () => {
    await servers.afterwards(async (queries) => {
      expect(await ledgerProblems(queries)).toEqual([]);
      expect(await queries.get('SELECT 1 FROM postings LIMIT 1')).toBeDefined();
    });
  });
});
