import { encodeForm } from '../../../testing/world/api.ts';
import { upload, uploadForm } from '../../kit/form.ts';
import { business, individual, person } from '../../server/api/accounts/account-bodies.ts';
import type { RefusalCases } from './refusal-context.ts';

const redirectUrl = 'https://shop.example/back';

/** What is refused of accounts, persons and their documents. */
export const OF_ACCOUNTS = {
  email_required: ({ api }) => api.post('/v1/accounts', { onboardingFlow: 'Hosted' }),
  async email_taken({ api, hosted }) {
    return api.post('/v1/accounts', { email: (await hosted()).email });
  },
  block_required: ({ api }) => api.post('/v1/accounts', { email: 'a@b.example', entityType: 'Business' }),
  block_mismatch: ({ api }) => api.post('/v1/accounts', { entityType: 'Business', business, individual }),
  entity_type_required: ({ api }) => api.post('/v1/accounts', { onboardingFlow: 'NonHosted', business }),
  async entity_type_final({ api, nonHosted, created }) {
    const { id } = await nonHosted();
    await created(api.post(`/v1/accounts/${id}/persons`, person));
    return api.patch(`/v1/accounts/${id}`, { entityType: 'Individual', individual });
  },
  account_hosted: async ({ api, hosted }) =>
    api.patch(`/v1/accounts/${(await hosted()).id}`, { metadata: { a: 'b' } }),
  account_non_hosted: async ({ api, nonHosted }) =>
    api.post('/v1/account-links', { accountId: (await nonHosted()).id, redirectUrl }),
  individual_verify: async (context) =>
    context.api.post(`/v1/accounts/${(await context.individual()).id}/verify`),
  persons_of_business: async (context) =>
    context.api.post(`/v1/accounts/${(await context.individual()).id}/persons`, person),
  async persons_limit({ api, nonHosted, created }) {
    const path = `/v1/accounts/${(await nonHosted()).id}/persons`;
    const contact = { ...person, businessRoles: ['BusinessContact'] };
    await created(api.post(path, contact));
    return api.post(path, contact);
  },
  async person_in_verification({ api, nonHosted, created }) {
    const { id } = await nonHosted();
    const front = (await created(upload(api.as(id), 'VerificationDocument'))).id;
    const documents = [{ type: 'Passport', country: 'GB', front }];
    const added = await created(api.post(`/v1/accounts/${id}/persons`, { ...person, documents }));
    return api.delete(`/v1/accounts/${id}/persons/${added.id}`);
  },
  async document_country({ api, nonHosted, created }) {
    const { id } = await nonHosted();
    const front = (await created(upload(api.as(id), 'VerificationDocument'))).id;
    return api.post(`/v1/accounts/${id}/persons`, { ...person, documents: [{ type: 'Passport', front }] });
  },
  async file_category({ api, nonHosted, created }) {
    const { id } = await nonHosted();
    const front = (await created(upload(api.as(id), 'Evidence'))).id;
    const documents = [{ type: 'Passport', country: 'GB', front }];
    return api.post(`/v1/accounts/${id}/persons`, { ...person, documents });
  },
  not_multipart: ({ api }) => api.post('/v1/files', { category: 'Evidence' }),
  async bad_multipart({ api }) {
    const { bytes, contentType } = await encodeForm(uploadForm('Evidence'));
    return api.raw('POST', '/v1/files', bytes.subarray(0, 200), { 'content-type': contentType });
  },
  file_type: ({ api }) => upload(api, 'Evidence', { name: 'song.mp3', type: 'audio/mpeg' }),
  async check_names_nothing({ api, nonHosted }) {
    const errors = [{ code: 'InvalidField', id: 'business.hat' }];
    return api.post(`/sandbox/accounts/${(await nonHosted()).id}/verification`, {
      outcome: 'Required',
      errors,
    });
  },
  async evidence_category({ api, shop, created }) {
    const path = `/sandbox/payment-sessions/${(await shop.captured()).id}/disputes`;
    const dispute = await created(api.post(path, {}));
    const { id } = await created(upload(api, 'VerificationDocument'));
    return api.patch(`/v1/disputes/${dispute.id}/evidence`, { files: { receipt: { id } } });
  },
} as const satisfies RefusalCases;
