import { stringOption } from '../command-line/option.ts';
import { terminalPath } from './terminal-choice.ts';

export const cardOption = stringOption({
  flag: '--card <profile>',
  description: 'Card that the simulated cardholder presents in this action, such as visa-declined',
  defaultText: 'what the cardholder of the terminal does',
});

/**
 * Returns where an action is started, and what its body names besides: with a card it is started together with what its
 * cardholder does, so that no other card can be presented first.
 */
export function actionRequest(
  terminalId: string,
  action: 'payment' | 'refund',
  card: string | undefined,
): { path: string; more: { cardholder?: { card: string } } } {
  if (card === undefined) return { path: `${terminalPath(terminalId)}/${action}`, more: {} };
  const path = `/sandbox/terminals/${encodeURIComponent(terminalId)}/${action}`;
  return { path, more: { cardholder: { card } } };
}
