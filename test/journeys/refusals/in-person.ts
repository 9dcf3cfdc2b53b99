import type { RefusalCases } from './refusal-context.ts';

/** What is refused at a counter. */
export const IN_PERSON = {
  async location_in_use({ api, till }) {
    const { terminalId } = (await till()).terminal;
    const { location } = (await api.get(`/v1/in-person/terminals/${terminalId}`)).body;
    return api.delete(`/v1/in-person/locations/${location.id}`);
  },
  region_required: ({ api }) =>
    api.post('/v1/in-person/locations', {
      name: 'Main Street',
      address: { lineOne: '1 Main St', city: 'Austin', country: 'US', postalCode: '73301' },
    }),
  async serial_registered({ api, till }) {
    const { terminalId } = (await till()).terminal;
    const { location, device } = (await api.get(`/v1/in-person/terminals/${terminalId}`)).body;
    const { serialNumber } = device;
    return api.post('/v1/in-person/terminals', { serialNumber, locationId: location.id });
  },
  async terminal_busy({ till, created }) {
    const counter = await till();
    await created(counter.pay(1_000));
    return counter.pay(1_000);
  },
  async terminal_online({ api, till }) {
    const { terminalId } = (await till()).terminal;
    return api.post(`/pairing/terminals/${terminalId}`, { unless: 'Online' });
  },
  async terminal_in_use({ api, till, created }) {
    const counter = await till();
    await created(counter.pay(1_000));
    return api.delete(`/v1/in-person/terminals/${counter.terminal.terminalId}`);
  },
  no_action: async ({ till }) => (await till()).cancel(),
  async in_person_not_enabled({ api, nonHosted, created }) {
    const capabilities = { inPersonPayments: { requested: false } };
    const own = api.as((await nonHosted({ capabilities })).id);
    const address = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
    const location = await created(own.post('/v1/in-person/locations', { name: 'Stall 1', address }));
    const terminal = { serialNumber: 'A920-4711', locationId: location.id };
    const { id } = await created(own.post('/v1/in-person/terminals', terminal));
    const payment = { amounts: { requested: 1_000 }, currency: 'GBP' };
    return own.post(`/v1/in-person/terminals/${id}/payment`, payment);
  },
  async copy_not_required({ till }) {
    const counter = await till();
    await counter.takes(1_000, { receipts: 'PointOfSale' });
    return counter.confirm({ customerCopy: { status: 'Succeeded' } });
  },
  async no_copy_named({ till }) {
    const counter = await till();
    await counter.takes(1_000, { receipts: 'PointOfSale' });
    return counter.confirm({});
  },
  async not_simulated({ api, untrackedApi, till, created }) {
    const { terminalId } = (await till()).terminal;
    const { location } = (await api.get(`/v1/in-person/terminals/${terminalId}`)).body;
    const real = { serialNumber: 'A920-4712', locationId: location.id };
    const { id } = await created(api.post('/v1/in-person/terminals', real));
    return untrackedApi.post(`/sandbox/terminals/${id}/power`, { state: 'off' });
  },
  async simulation_refused({ api, till }) {
    const { terminalId } = (await till()).terminal;
    return api.post(`/sandbox/terminals/${terminalId}/present-card`, { card: 'no-such-card' });
  },
  async no_receipt({ api, till }) {
    const counter = await till();
    await counter.pay(1_000);
    return api.get(`/sandbox/actions/${(await counter.action()).id}/receipt`);
  },
  async endpoint_inactive({ api, world }) {
    await world.listen('shop', ['Customer.created']);
    await api.post('/v1/customers', { email: 'ana@corner.example' });
    await world.settled();
    const [{ id, webhookId }] = (await api.get('/sandbox/deliveries')).body.items;
    await api.raw('PATCH', `/v1/webhooks/${webhookId}`, JSON.stringify({ active: false }));
    return api.post(`/sandbox/deliveries/${id}/send`);
  },
  requests_not_stored: ({ api }) => api.get('/sandbox/requests'),
} as const satisfies RefusalCases;
