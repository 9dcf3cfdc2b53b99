import { AT_DEVICE } from './protocol-rules/terminal-move.ts';
import { actionOf, heldBy, type Property } from './seen.ts';
import { pathOf } from './terminal-model.ts';

/** What has to hold of the money that the own bank of a payment terminal takes, and of outcomes that are unknown. */
export const PROPERTIES_OF_DEVICES: readonly Property[] = [
  {
    name: 'ownBankSettled',
    sentence:
      'In the end the own bank of a terminal has taken the money of exactly the actions that succeeded, or a person was told to look.',
    holds: ({ settled, terminal: { charged, device }, server, scenario }) =>
      !settled ||
      !/^(own bank|device alone)$/.test(scenario.card) ||
      server.actions.every(
        ({ row, tally }, index) =>
          (row.status === 'Succeeded') === charged.includes(index) ||
          tally.told ||
          device.told.includes(index),
      ),
  },
  {
    name: 'neverGuessed',
    sentence:
      'An action whose request a payment terminal has, as far as the server knows, ends by a report of its outcome or by a person.',
    holds: (seen) => {
      const snapshot = heldBy(seen);
      const action = snapshot && actionOf(seen, snapshot);
      if (!action || !AT_DEVICE.test(pathOf(snapshot.value))) return true;
      const { row, tally } = action;
      return row.status === 'InProgress' || tally.settled || !tally.atDevice;
    },
  },
  {
    name: 'askedRightly',
    sentence: 'No person is told to reverse what was paid.',
    holds: ({ settled, terminal: { device }, server }) =>
      !settled ||
      server.actions.every(
        ({ row, tally }, index) =>
          row.status !== 'Succeeded' || (!tally.told && !device.told.includes(index)),
      ),
  },
];
