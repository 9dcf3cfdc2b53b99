/** A key of a certification authority, by application provider and index (EMV 4.4 Book 2 §11.2). */
export interface AuthorityKey {
  /** Registered application provider: the first five bytes of an application's name. */
  rid: string;
  index: string;
  exponent: string;
  modulus: string;
}

/** A key with the SHA-1 over provider, index, modulus and exponent that is published with it (Book 2 §11.2.2). */
export interface PublishedKey extends AuthorityKey {
  checksum: string;
}
