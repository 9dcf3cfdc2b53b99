import { CreatedTimestamp, Id, Type, type Static } from '../../../protocol/schema.ts';

/** A site on which a wallet may be shown: Spec §4.10. */
export const WalletDomain = Type.Object(
  {
    id: Id('walletDomain'),
    domainName: Type.String({ description: 'Host name, such as `shop.example`' }),
    createdTimestamp: CreatedTimestamp,
  },
  { title: 'WalletDomain', description: 'A web domain on which wallets can be used' },
);
export type WalletDomain = Static<typeof WalletDomain>;

const DomainName = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'Host name, such as `shop.example`, without scheme, port or path',
});

export const WalletDomainCreate = Type.Object({ domainName: DomainName });

export const WalletSessionCreate = Type.Object({
  displayName: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Name of the merchant, as the wallet shows it to the customer',
  }),
  domainName: DomainName,
});

export const WalletSession = Type.Object(
  { sessionObject: Type.String({ description: "Opaque session for the wallet's script in the browser" }) },
  { title: 'WalletSession', description: 'A session of a wallet on the web' },
);
