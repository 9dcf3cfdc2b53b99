import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

/** A site on which a wallet may be shown: Spec §4.10. */
export const WalletDomain = Type.Object(
  {
    id: Id('walletDomain'),
    domainName: Type.String({ description: 'A host name, such as shop.example' }),
    createdTimestamp: Timestamp,
  },
  { title: 'WalletDomain' },
);
export type WalletDomain = Static<typeof WalletDomain>;

const DomainName = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'A host name: no scheme, port or path',
});

export const WalletDomainCreate = Type.Object({ domainName: DomainName });

export const WalletSessionCreate = Type.Object({
  displayName: Type.String({ minLength: 1, maxLength: 100, description: 'Shown to who pays' }),
  domainName: DomainName,
});

export const WalletSession = Type.Object(
  { sessionObject: Type.String({ description: "For the wallet's script in the browser; opaque" }) },
  { title: 'WalletSession' },
);
