import { expect, test } from 'vitest';
import { actions, findReportedAction } from '../../../../../server/api/in-person/actions/action.records.ts';
import { terminals } from '../../../../../server/api/in-person/terminals/terminal.records.ts';
import { shopServer, UNKNOWN_ID } from '../shop-server.ts';

test('findReportedAction: returns the action and the keys of its terminal as they are read one by one', async () => {
  const shop = await shopServer();
  const terminalId = await shop.terminal();
  const { actionId } = await shop.pay(terminalId);
  const { store } = shop.services;
  const reported = await store.transaction((tx) => findReportedAction(tx, terminalId, actionId));
  const { key_scheme, pairing_generation } = (await terminals.findAny(store, terminalId))!;
  expect(reported).toMatchObject({
    action: await actions.findAny(store, actionId),
    terminal: { id: terminalId, key_scheme, pairing_generation },
  });
});

test('findReportedAction: says whether the terminal is gone or the action is not its own', async () => {
  const shop = await shopServer();
  const [terminalId, otherId] = [await shop.terminal(), await shop.terminal()];
  const { actionId } = await shop.pay(terminalId);
  const find = (terminal: string, action: string) =>
    shop.services.store.transaction((tx) => findReportedAction(tx, terminal, action));
  expect(await find(UNKNOWN_ID, actionId)).toBe('no terminal');
  expect(await find(otherId, actionId)).toBe('no action');
  expect(await find(terminalId, UNKNOWN_ID)).toBe('no action');
});
