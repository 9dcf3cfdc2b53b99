import { expect, test } from 'vitest';
import type { VivotechLink } from '../../../../agent/readers/vivotech/link.ts';
import { findCard } from '../../../../agent/readers/vivotech/vivotech-reader.ts';
import { ACTION_ID } from '../../agent-fixture.ts';

const request = { actionId: ACTION_ID, type: 'Payment', amountMinor: 1742, currency: 'GBP' } as const;

/** A reader that answers its first commands with these status codes, and then finds no card. */
function linkThat(statuses: number[]) {
  const sent: string[] = [];
  const stopped = new AbortController();
  const link: VivotechLink = {
    exchange: async () => new Uint8Array(0),
    async runCommand(name) {
      sent.push(name);
      const code = statuses.shift();
      if (code !== undefined) return { command: 0x02, code, data: new Uint8Array(0) };
      stopped.abort();
      return undefined;
    },
  };
  return { link, sent, signal: stopped.signal };
}

test.each([0x0c, 0x06, 0x02, 0x03])(
  'ViVOtech2 driver: commands that are refused once with %i are tried again at the next action',
  async (refused) => {
    const statuses = [refused, refused, refused];
    const { link, sent, signal } = linkThat(statuses);
    expect(await findCard(link, request, signal)).toEqual({
      type: 'failed',
      reason: 'the reader has no command to look for a card',
    });
    expect(sent).toEqual(['activateAll', 'activate', 'contactStart']);
    expect(await findCard(link, request, signal)).toBeUndefined();
    expect(sent.slice(3)).toEqual(['activateAll']);
  },
);
