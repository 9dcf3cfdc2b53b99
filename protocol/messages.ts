import type { DeclaredMessage } from './message.ts';
import * as action from './messages/action.messages.ts';
import * as inspection from './messages/inspection.messages.ts';
import * as receiptPrinter from './messages/receipt-printer.messages.ts';
import * as presence from './messages/presence.messages.ts';
import * as reversal from './messages/reversal.messages.ts';
import * as sandbox from './messages/sandbox.messages.ts';

/** All messages of the protocol, in the order of docs/asyncapi.json. */
export const ALL_MESSAGES: readonly DeclaredMessage[] = [
  presence.Presence,
  presence.RequestPresence,
  action.StartAction,
  action.CancelAction,
  action.DecideAction,
  action.ConfirmReceipt,
  action.EndAction,
  action.RequestReport,
  action.ActionAccepted,
  action.AuthoriseAction,
  action.ReceiptReady,
  action.ActionCompleted,
  action.ActionAbandoned,
  action.ActionUnsettled,
  action.ActionInquired,
  reversal.ReversalReported,
  reversal.ReversalRecorded,
  inspection.MachineDescribed,
  inspection.MachineStepped,
  inspection.DisplayShown,
  inspection.ReaderTraced,
  inspection.ReportsBatched,
  sandbox.Simulate,
  sandbox.Simulated,
  sandbox.CardsOffered,
  receiptPrinter.PrinterShown,
];
