import { mapTexts } from '../../world/replay/map-texts.ts';
import type { Api } from './api.ts';

/** Returns a client of the API that puts values in the place of the placeholders of a trace, in all that it sends. */
export function filledApi(api: Api, fill: (text: string) => string): Api {
  return {
    get: (path) => api.get(fill(path)),
    post: (path, body) => api.post(fill(path), filledBody(body)),
    patch: (path, body) => api.patch(fill(path), filledBody(body)),
    delete: (path, body) => api.delete(fill(path), filledBody(body)),
    raw: (method, path, body, headers) =>
      api.raw(
        method,
        fill(path),
        typeof body === 'string' ? fill(body) : body,
        headers && (mapTexts(headers, fill) as typeof headers),
      ),
    as: (accountId) => filledApi(api.as(fill(accountId)), fill),
    withKey: (key) => filledApi(api.withKey(fill(key)), fill),
    get open() {
      return api.open;
    },
  };

  function filledBody(body: unknown): unknown {
    return body instanceof FormData ? body : mapTexts(body, fill);
  }
}
