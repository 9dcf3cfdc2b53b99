import { Timestamp, Type } from '../../../protocol/schema.ts';

/** A temporary way for somebody into a page of this server: Spec §4.3. */
export const AccountLink = Type.Object(
  {
    createdTimestamp: Timestamp,
    expiresTimestamp: Timestamp,
    url: Type.String({ description: 'To open in a browser, once; good for two hours' }),
  },
  { title: 'AccountLink' },
);

export const RedirectUrl = Type.String({
  maxLength: 2048,
  description: 'Where the page leads when it is done; https',
});
