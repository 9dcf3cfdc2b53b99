import { expect, test } from 'vitest';
import { findAction } from '../../../../server/api/in-person/action.records.ts';
import {
  findReportedAction,
  type ReportedAction,
} from '../../../../server/api/in-person/reported-action.records.ts';
import { findAnyTerminal } from '../../../../server/api/in-person/terminal.records.ts';
import { findAnySession } from '../../../../server/api/payments/payment-session.records.ts';
import { shopServer, UNKNOWN_ID } from './shop-server.ts';

test('findReportedAction: returns the terminal, the action and the session as they are read one by one', async () => {
  const shop = await shopServer();
  const terminalId = await shop.terminal();
  const { actionId, sessionId } = await shop.pay(terminalId);
  const { store } = shop.services;
  const { terminal, action, session } = (await store.transaction((tx) =>
    findReportedAction(tx, terminalId, actionId),
  )) as ReportedAction;
  // Columns that no row declares are for lists and keys alone.
  expect(await findAnyTerminal(store, terminalId)).toMatchObject(terminal);
  expect(await findAction(store, actionId)).toMatchObject(action);
  expect(await findAnySession(store, sessionId)).toMatchObject(session);
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
