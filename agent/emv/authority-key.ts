/** Public key of a certification authority, identified by RID and index (EMV 4.4 Book 2 §11.2). All hexadecimal. */
export interface AuthorityKey {
  /** Registered application provider identifier: the first five bytes of an AID. */
  rid: string;
  index: string;
  exponent: string;
  modulus: string;
}

/** A key with its published checksum: SHA-1 over RID, index, modulus and exponent (Book 2 §11.2.2). */
export interface PublishedKey extends AuthorityKey {
  checksum: string;
}
