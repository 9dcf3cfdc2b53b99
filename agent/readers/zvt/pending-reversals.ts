import { messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { Debt, DebtStore } from '../debt-store.ts';
import type { CardRequest } from '../reader.ts';
import * as results from './results.ts';
import type { TransactionStatus } from './status-information.ts';
import type { Talk } from './transport-layer.ts';

export interface DebtsParts {
  log: Log;
  store: DebtStore;
  /** @returns the code with which the terminal refuses, if it does. */
  reverse(talk: Talk, receiptNumber: number): Promise<number | undefined>;
  /** The last transaction that the terminal remembers. */
  askLast(talk: Talk): Promise<TransactionStatus | undefined>;
}

/** What is to be taken back at a terminal, or found out about first. */
export interface Debts {
  readonly any: boolean;
  /** Keeps, before it is begun, that a transaction is under way. @throws Fault `journal`: it may not begin then. */
  owe(
    request: CardRequest,
    before: { terminalId: string | undefined; receiptBefore: number | undefined },
  ): Debt;
  approved(debt: Debt, receiptNumber: number | undefined): void;
  forget(debt: Debt): void;
  /** Takes back what is owed at this terminal. What is refused, or not reached, is owed on. @throws Fault. */
  settle(talk: Talk, terminalId: string | undefined): Promise<void>;
}

/** @throws Fault `journal` when those of an earlier process cannot be read. */
export function createDebts({ log, store, reverse, askLast }: DebtsParts): Debts {
  const debts = store.load();
  /** For what happened already: it cannot be undone because it cannot be written down. */
  const keep = () => {
    try {
      store.save(debts);
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'what the terminal has open is not written down');
    }
  };
  const forget = (debt: Debt) => {
    debts.splice(debts.indexOf(debt), 1);
    keep();
  };

  /** The receipt of an interrupted transaction: a new one, approved, of no other amount. */
  const findReceipt = async (talk: Talk, debt: Debt): Promise<number | undefined> => {
    const last = await askLast(talk);
    const isOld = last?.receiptNumber !== undefined && last.receiptNumber === debt.receiptBefore;
    if (!last || isOld) return undefined;
    // What a terminal leaves out does not speak against an approval: it refuses to take back what is none.
    const tookMoney = (last.resultCode ?? results.APPROVED) === results.APPROVED;
    const amountMinor = last.amountMinor ?? debt.request.amountMinor;
    if (!tookMoney || amountMinor !== debt.request.amountMinor) return undefined;
    debt.approved = true;
    return last.receiptNumber;
  };
  /** Whether a debt is settled, or never can be. */
  const settleOne = async (talk: Talk, debt: Debt): Promise<boolean> => {
    const { actionId } = debt.request;
    const receiptNumber = debt.receiptNumber ?? (await findReceipt(talk, debt));
    if (receiptNumber === undefined) {
      if (debt.approved) log.error({ actionId }, 'an approval without a receipt cannot be taken back');
      else log.info({ actionId }, 'the interrupted transaction took no money');
      return true;
    }
    // Written down before it is reversed: the reversal gets a receipt of its own, and is the last one then.
    debt.receiptNumber = receiptNumber;
    keep();
    const refused = await reverse(talk, receiptNumber);
    if (refused === undefined) {
      log.warn({ actionId, receiptNumber }, 'a transaction that nobody waits for was taken back');
      return true;
    }
    const reason = results.resultText(refused);
    log.error({ actionId, receiptNumber, reason }, 'a transaction that nobody waits for was not taken back');
    return refused === results.REVERSAL_NOT_POSSIBLE;
  };

  return {
    get any() {
      return debts.length > 0;
    },
    owe({ actionId, type, amountMinor, currency }, { terminalId, receiptBefore }) {
      const debt: Debt = {
        request: { actionId, type, amountMinor, currency },
        ...(terminalId !== undefined && { terminalId }),
        ...(receiptBefore !== undefined && { receiptBefore }),
      };
      store.save([...debts, debt]);
      debts.push(debt);
      return debt;
    },
    approved(debt, receiptNumber) {
      debt.approved = true;
      if (receiptNumber !== undefined) debt.receiptNumber = receiptNumber;
      keep();
    },
    forget,
    async settle(talk, terminalId) {
      const here = debts.filter((debt) => (debt.terminalId ?? terminalId) === terminalId);
      for (const debt of here) {
        if (await settleOne(talk, debt)) forget(debt);
      }
    },
  };
}
