/** Headers of requests that /v1 heeds, by the section of the specification or the choice that has each. */
export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  authorization: 'Spec §5',
  account: 'Spec §5',
};

/** Headers of its replies; those of the connection and of the content are HTTP's own. */
export const REPLY_HEADERS: Readonly<Record<string, string>> = {
  'retry-after': 'Rate limits',
  'access-control-allow-origin': 'Rate limits',
};
