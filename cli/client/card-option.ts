import { stringOption } from '../command-line/option.ts';

export const cardOption = stringOption({
  flag: '--card <profile>',
  description: 'Card that the simulated cardholder presents in this action, such as visa-declined',
  defaultText: 'what the cardholder of the terminal does',
});
