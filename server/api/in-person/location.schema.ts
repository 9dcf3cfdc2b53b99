import { Id, Metadata, Nullable, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

const METADATA_MAX = 10; // Spec §2.1

/** Address of a shop: Spec §2.7. */
export const LocationAddress = Type.Object(
  {
    lineOne: Type.String({ minLength: 1, maxLength: 80 }),
    lineTwo: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 80 }))),
    city: Type.String({ minLength: 2, maxLength: 50 }),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' }),
    postalCode: Type.String({ minLength: 2, maxLength: 16 }),
    region: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 80,
          description: 'A 2-character code, required, for US and CA',
        }),
      ),
    ),
  },
  { title: 'LocationAddress' },
);

export const GeoCoordinates = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});

/** Where terminals stand: Spec §2.7. */
export const Location = Type.Object(
  {
    id: Id('location'),
    name: Type.String({ minLength: 5, maxLength: 50 }),
    address: LocationAddress,
    geoCoordinates: Nullable(GeoCoordinates),
    metadata: Metadata(METADATA_MAX),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Location' },
);
export type Location = Static<typeof Location>;

export const LocationCreate = Type.Object({
  name: Location.properties.name,
  address: LocationAddress,
  geoCoordinates: Type.Optional(GeoCoordinates),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

/** Only the name and the metadata change; a location that moved is a new location (Spec §4.11). */
export const LocationUpdate = Type.Object({
  name: Type.Optional(Location.properties.name),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});
