import { Id, Type } from '../../protocol/schema.ts';

export const Reset = Type.Object(
  {
    platformId: Id(
      'account',
      'Unique identifier of the platform account, which the API keys belong to; the same as before the reset',
    ),
    subAccountId: Id('account', 'Unique identifier of the first sub account; the same as before the reset'),
  },
  { title: 'SandboxReset', description: 'Accounts of the sandbox after a reset' },
);
