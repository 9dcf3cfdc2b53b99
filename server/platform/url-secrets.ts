const URL_IN_TEXT = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>`]+/gi;
const USER_INFO = /^([^/]+\/\/)([^/?#]+)@/;

/** What is shown of the parts of a URL that may be secret. */
interface HideParts {
  userInfo(userInfo: string): string;
  /** @param query without its question mark, not empty */
  query(query: string): string;
}

/** Replaces user info and query in each URL of a text. The query of a text that begins with a URL goes on to its end. */
export function hideUrlSecrets(text: string, hide: HideParts): string {
  if (!text.includes('://')) return text;
  const at = /^https?:/i.test(text) ? text.indexOf('?') : -1;
  if (at < 0 || at === text.length - 1) return hideInUrls(text, hide);
  return `${hideInUrls(text.slice(0, at), hide)}?${hide.query(text.slice(at + 1))}`;
}

function hideInUrls(text: string, { userInfo, query }: HideParts): string {
  return text.replaceAll(URL_IN_TEXT, (url) =>
    url
      .replace(USER_INFO, (_, start: string, found: string) => `${start}${userInfo(found)}@`)
      .replace(/\?([^#]+)/, (_, found: string) => `?${query(found)}`),
  );
}
