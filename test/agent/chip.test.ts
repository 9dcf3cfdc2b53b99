import { expect, test } from 'vitest';
import { AuthoriseAction, CancelAction, DecideAction } from '../../protocol/messages/action.messages.ts';
import type { ChipResponse } from '../../protocol/messages/card-data.schema.ts';
import type { BodyOf } from '../../protocol/message.ts';
import { ACTION_ID, startAgentFixture, cardOf, CHIP, READ_CHIP, type AgentFixture } from './agent-fixture.ts';

const ANSWER: ChipResponse = { emv: '8A023030910A01020304050607083030' };

function decide({ network }: AgentFixture, outcome: 'approved' | 'declined'): void {
  const words = outcome === 'approved' ? { authorisationCode: '7H3K2P' } : { code: 'insufficient_funds' };
  network.command(DecideAction, { actionId: ACTION_ID, outcome, chip: ANSWER, ...words });
}

/** A card in the slot whose PIN was right: the issuer is asked with its cryptogram. */
function asked(): AgentFixture {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP, { type: 'pin.entered' });
  terminal.reader.emit({ type: 'pin.accepted', method: 'OnlinePin', chip: CHIP });
  terminal.reader.takeCalls();
  return terminal;
}

const authorise = ({ network }: AgentFixture) =>
  network.last('action.authorise') as unknown as BodyOf<typeof AuthoriseAction>;

test('chip payment: sends the cryptogram to the issuer and its answer to the card, then prints the receipt', async () => {
  const terminal = asked();
  expect(authorise(terminal)).toMatchObject({ verification: 'OnlinePin', chip: CHIP.request });

  decide(terminal, 'approved');
  expect(terminal.state).toBe('completingCard');
  expect(terminal.reader.takeCalls()).toEqual(['completeCard']);
  expect(terminal.reader.answer).toEqual({ outcome: 'approved', chip: ANSWER });
  expect(terminal.agent.screen.at(-1)).toBe('Approved, do not remove card');

  terminal.reader.emit({ type: 'card.completed' });
  await terminal.settle();
  expect(terminal.state).toBe('approved.completing');
  terminal.end('Succeeded');
  expect(terminal.agent.status).toEqual({});
});

test('contactless payment: does not wait for the card after the answer', () => {
  const terminal = startAgentFixture();
  terminal.start();
  const chip = { ...CHIP, awaitsAnswer: false };
  terminal.reader.emit({ type: 'card.read', card: cardOf('Contactless'), pin: 'none', chip });
  expect(authorise(terminal).chip).toEqual(CHIP.request);
  decide(terminal, 'approved');
  expect(terminal.state).toBe('approved.printing.merchantCopy');
});

test('chip payment: a signature CVM adds a signature line to the merchant copy', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  const chip = { ...CHIP, awaitsAnswer: false };
  terminal.reader.emit({ type: 'card.read', card: cardOf('Contactless'), pin: 'signature', chip });
  expect(authorise(terminal).verification).toBe('Signature');
  decide(terminal, 'approved');
  await terminal.settle();
  const [merchant, customer] = terminal.printer.copies.map(({ text }) => text);
  expect(merchant).toContain('X____');
  expect(customer).not.toContain('X____');
});

test.each([
  ['refuses the approval', { type: 'card.refused', reason: 'AAC' } as const, 'card_declined'],
  ['is torn out before it agrees', { type: 'card.removed' } as const, 'card_declined'],
  ['loses its reader', { type: 'reader.failed', reason: 'unplugged' } as const, 'unexpected_error'],
])('chip payment: reverses the approval when the card %s', (_, fact, code) => {
  const terminal = asked();
  decide(terminal, 'approved');
  terminal.reader.emit(fact);
  expect(terminal.state).toBe('reversing');
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code });
});

test('chip payment: reverses the approval when the card does not respond, or after a power cut', async () => {
  const slow = asked();
  decide(slow, 'approved');
  await slow.clock.advance(11_000);
  expect(slow.state).toBe('reversing');

  const cut = asked();
  decide(cut, 'approved');
  cut.powerCycle();
  await cut.settle();
  expect(cut.network.last('action.abandoned')).toMatchObject({ code: 'unexpected_error' });
});

test('chip payment: sends a decline to the card and ends at once', () => {
  const terminal = asked();
  decide(terminal, 'declined');
  expect(terminal.reader.takeCalls()).toEqual(['completeCard', 'end']);
  expect(terminal.reader.answer).toEqual({ outcome: 'declined', chip: ANSWER });
});

test('chip payment: an offline decline ends the action without authorisation', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit({ type: 'card.presented', entryMode: 'Contact' });
  terminal.reader.emit({ type: 'card.declined', reason: 'the card says no' });
  expect(terminal.network.last('action.authorise')).toBeUndefined();
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'card_declined' });
});

test('journal: keeps the encrypted card data only until the issuer decides', () => {
  const terminal = asked();
  expect(JSON.stringify(terminal.journal.load())).toContain(CHIP.request.cardData.cipherText);
  decide(terminal, 'approved');
  expect(JSON.stringify(terminal.journal.load())).not.toContain(CHIP.request.cardData.cipherText);
});

test('journal: drops the encrypted card data after a timeout without a server', async () => {
  const terminal = asked();
  await terminal.clock.advance(31_000);
  expect(terminal.state).toBe('reversing');
  expect(JSON.stringify(terminal.journal.load())).not.toContain(CHIP.request.cardData.cipherText);
});

test('journal: drops the encrypted card data of a cancelled action', () => {
  const terminal = asked();
  terminal.network.command(CancelAction, { actionId: ACTION_ID });
  expect(terminal.state).toBe('cancelling');
  expect(JSON.stringify(terminal.journal.load())).not.toContain(CHIP.request.cardData.cipherText);
});
