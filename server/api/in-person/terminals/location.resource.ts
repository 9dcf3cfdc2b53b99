import { deleteRoute, listRoute } from '../../../platform/http/object-routes.ts';
import { noSuch, Refusal } from '../../../platform/http/refusals.ts';
import { route, type FindContext, type Route } from '../../../platform/http/route.ts';
import { createLocation, hasTerminal, locations } from './location.records.ts';
import { Location, LocationCreate, LocationUpdate } from './location.schema.ts';

const tag = 'In-person location';
const byId = ({ services: { store }, caller, params }: FindContext<'id'>) =>
  locations.find(store, caller.accountId, params.id);

const createLocationRoute = route({
  operation: 'POST /in-person/locations',
  access: 'dashboard',
  tag,
  summary: 'Create a location',
  section: 'Spec §4.11',
  accountHeader: true,
  body: LocationCreate,
  reply: Location,
  refusals: ['region_required'],
  async handle({ services: { clock, ids, store }, caller, body }) {
    refuseMissingRegion(body.address);
    const location = { id: ids.make('location'), accountId: caller.accountId, ...body };
    return locations.show(await createLocation({ clock, store }, location));
  },
});

const listLocationsRoute = listRoute({
  operation: 'GET /in-person/locations',
  tag,
  summary: 'List locations',
  section: 'Spec §4.11',
  accountHeader: true,
  item: Location,
  list: ({ caller }) => locations.listOf(caller.accountId),
  show: locations.show,
});

const getLocationRoute = route({
  operation: 'GET /in-person/locations/{id}',
  tag,
  summary: 'Retrieve a location',
  section: 'Spec §4.11',
  accountHeader: true,
  reply: Location,
  find: byId,
  handle: async ({ found }) => locations.show(found),
});

const updateLocationRoute = route({
  operation: 'PATCH /in-person/locations/{id}',
  tag,
  summary: 'Update the name or the metadata of a location',
  section: 'Spec §4.11',
  accountHeader: true,
  body: LocationUpdate,
  reply: Location,
  find: byId,
  async handle({ services: { clock, store }, body, found }) {
    const row = await store.transaction(
      (tx) => {
        tx.lockRow('locations', found.id);
        return locations.update(tx, found.id, body, clock.nowMs());
      },
      { guardedBy: [] },
    );
    if (!row) throw noSuch(tag);
    return locations.show(row);
  },
});

const deleteLocationRoute = deleteRoute({
  operation: 'DELETE /in-person/locations/{id}',
  tag,
  summary: 'Delete a location that has no terminal',
  section: 'Spec §4.11',
  accountHeader: true,
  kind: 'location',
  refusals: ['location_in_use'],
  guardedBy: ['terminalRegistration'],
  find: byId,
  async remove(tx, { id }, nowMs) {
    tx.lockRow('locations', id);
    if (await hasTerminal(tx, id)) throw new Refusal('location_in_use');
    return locations.delete(tx, id, nowMs);
  },
});

export const locationRoutes: readonly Route[] = [
  createLocationRoute,
  listLocationsRoute,
  getLocationRoute,
  updateLocationRoute,
  deleteLocationRoute,
];

const COUNTRIES_WITH_REGION = ['US', 'CA'];

/** An address in the US or Canada names its state or province by a 2-character code (Spec §2.7). */
function refuseMissingRegion(address: { country: string; region?: string | null }): void {
  if (!COUNTRIES_WITH_REGION.includes(address.country)) return;
  if (!/^[A-Z]{2}$/.test(address.region ?? ''))
    throw new Refusal('region_required', { country: address.country });
}
