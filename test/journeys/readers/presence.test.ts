import { expect, test } from 'vitest';
import { DRIVERS } from '../../../agent/readers/drivers.ts';
import { openReaderFixture } from '../../kit/reader-fixture.ts';

test.each(DRIVERS.map(({ name, title }) => [name, title.split(',')[0]]))(
  'reader presence: a terminal with a %s reader is shown as online, as a %s',
  async (driver, deviceType) => {
    const shop = await openReaderFixture({ driver });
    try {
      const { terminalId } = shop.terminal;
      const { body } = await shop.world.api.get('/sandbox/terminals');
      expect(body.items.find(({ id }: { id: string }) => id === terminalId)).toMatchObject({ online: true });
      const shown = await shop.world.api.get(`/v1/in-person/terminals/${terminalId}`);
      expect(shown.body.device.type).toBe(deviceType);
    } finally {
      await shop.close();
    }
  },
);
