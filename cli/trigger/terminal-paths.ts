import type { TriggerPath } from './trigger-path.ts';

/** How the event of terminals comes about. */
export const TERMINAL_PATHS = {
  'Terminal.action_updated': {
    main: 'action',
    about: '{action.action.id}',
    steps: [
      {
        name: 'terminal',
        find: 'GET /sandbox/terminals',
        where: { online: true },
        missing: "no terminal is online: start one with 'tapbench up' or 'tapbench sim'",
      },
      {
        name: 'action',
        request: 'POST /v1/in-person/terminals/{terminal.id}/payment',
        account: '{terminal.accountId}',
        body: { amounts: { requested: 1250 }, currency: 'GBP' },
      },
    ],
  },
} as const satisfies Record<string, TriggerPath>;
