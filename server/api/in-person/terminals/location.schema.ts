import { CountryCode, Nullable, Type, withDescription, type Static } from '../../../../protocol/schema.ts';
import {
  CREATED,
  CreateSchema,
  ObjectSchema,
  UPDATED,
  UpdateSchema,
  metadataProperty,
} from '../../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../../platform/store/stored-property.ts';
import { City, LineOne, PostalCode } from '../../../platform/http/text.schema.ts';

const METADATA_MAX = 10; // Spec §2.1

/** Address of a shop: Spec §2.7. */
const LocationAddress = Type.Object(
  {
    lineOne: LineOne('Street and house number', { minLength: 1, maxLength: 80 }),
    lineTwo: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 80 }),
        'Second line of the address; null when there is none',
      ),
    ),
    city: City('City or town', { minLength: 2, maxLength: 50 }),
    country: CountryCode,
    postalCode: PostalCode('Postal code or ZIP code', { minLength: 2, maxLength: 16 }),
    region: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 80,
        }),
        'State, province or county; null when there is none. Required for US and CA, as the two-letter code of the state or province.',
      ),
    ),
  },
  { title: 'LocationAddress', description: 'Address of a location' },
);

const GeoCoordinates = Type.Object({
  latitude: Type.Number({
    minimum: -90,
    maximum: 90,
    description: 'Latitude in degrees, positive to the north',
  }),
  longitude: Type.Number({
    minimum: -180,
    maximum: 180,
    description: 'Longitude in degrees, positive to the east',
  }),
});

/** A location of terminals: Spec §2.7. The address cannot change: another address is another location (Spec §4.11). */
export const LOCATION = {
  name: {
    schema: Type.String({ minLength: 5, maxLength: 50, description: 'Name of the location' }),
    column: 'name',
    searched: true,
    create: 'required',
    update: 'set',
  },
  address: {
    schema: LocationAddress,
    column: 'address',
    searched: true,
    create: 'required',
    toReply: (address: Static<typeof LocationAddress>) => ({
      ...address,
      lineTwo: address.lineTwo ?? null,
      region: address.region ?? null,
    }),
  },
  geoCoordinates: {
    schema: withDescription(GeoCoordinates, 'Position of the location on a map'),
    column: 'geo_coordinates',
    create: 'optional',
    reply: Nullable(GeoCoordinates, 'Position of the location on a map; null when not given'),
  },
  metadata: metadataProperty(METADATA_MAX),
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Location = ObjectSchema('location', LOCATION, {
  title: 'Location',
  description: 'A place where terminals are used',
});
export type Location = Static<typeof Location>;

export const LocationCreate = CreateSchema(LOCATION);

export const LocationUpdate = UpdateSchema(LOCATION);
