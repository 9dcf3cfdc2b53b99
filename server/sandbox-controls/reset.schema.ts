import { Id, Type } from '../../protocol/schema.ts';

export const Reset = Type.Object(
  {
    platformId: { ...Id('account'), description: 'The account that the keys belong to, as before' },
    subAccountId: { ...Id('account'), description: 'Its first sub account, as before' },
  },
  { title: 'SandboxReset' },
);
