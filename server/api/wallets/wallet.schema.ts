import { Type } from '../../../protocol/schema.ts';
import { CREATED, CreateSchema, ObjectSchema } from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { HostName } from '../../platform/http/text.schema.ts';

const DomainName = HostName('Host name, such as `shop.example`, without scheme, port or path', {
  minLength: 1,
  maxLength: 300,
});

/** A site on which a wallet may be shown: Spec §4.10. */
export const WALLET_DOMAIN = {
  domainName: {
    schema: DomainName,
    column: 'domain_name',
    create: 'required',
    reply: HostName('Host name, such as `shop.example`'),
    searched: true,
  },
  createdTimestamp: CREATED,
} as const satisfies Properties;

export const WalletDomain = ObjectSchema('walletDomain', WALLET_DOMAIN, {
  title: 'WalletDomain',
  description: 'A web domain on which wallets can be used',
});

export const WalletDomainCreate = CreateSchema(WALLET_DOMAIN);

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
