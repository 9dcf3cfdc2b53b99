import type { Api } from '../../../testing/world/api.ts';
import { good } from '../one-of-each.ts';

/** Every operation on files and on sites, under both their paths. */
export async function filesAndWallets(api: Api): Promise<void> {
  const { items } = good(await api.get('/v1/files'));
  await api.get(`/v1/files/${items[0].id}`);
  const [known] = good(await api.get('/v1/wallet-pay/web-domains')).items;
  const domainName = known.domainName;
  for (const family of ['/v1/wallet-pay', '/v1/apple-pay']) {
    const { id } = good(await api.post(`${family}/web-domains`, { domainName: 'other.example' }));
    await api.get(`${family}/web-domains`);
    await api.get(`${family}/web-domains/${id}`);
    await api.delete(`${family}/web-domains/${id}`);
    await api.post(`${family}/sessions`, { displayName: 'Shop', domainName });
  }
}
