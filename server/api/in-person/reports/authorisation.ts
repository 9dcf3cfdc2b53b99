import { Fault } from '../../../../protocol/failures.ts';
import type { BodyOf } from '../../../../protocol/message.ts';
import type { AuthoriseAction } from '../../../../protocol/messages/action.messages.ts';
import type { DeviceApproval } from '../../../../protocol/messages/card-data.schema.ts';
import { bankFails } from '../../../bank/bank-faults.ts';
import {
  checkChip,
  UNTRUSTED_CARD,
  UNTRUSTED_TERMINAL,
  type ChipCheck,
  type ChipDecline,
} from '../../../bank/issuer/chip-issuer.ts';
import { saveCryptogram, unauthenticatedDecline } from '../../../bank/issuer/cryptogram-check.ts';
import { decide, declineOfScheme, DECLINED_BY_FAULT, type Decision } from '../../../bank/issuer/issuer.ts';
import type { ActionServices } from '../actions/terminal-commands.ts';
import type { Services } from '../../../platform/services.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import { consumeTransactionKeys, type KeyedTerminal } from '../../pairing/terminal-keys.ts';
import { disabledPaymentMethods } from '../../payments/card-usage.ts';
import type { PaymentSessionRow } from '../../payments/payment-session-row.ts';
import type { StoredDecision, ActionRow } from '../actions/action.records.ts';
import { magicAmountsApply } from '../actions/magic-amounts.ts';

/** An authorisation request of a terminal, with its action and payment session. */
interface AuthorisationContext {
  action: ActionRow;
  terminal: KeyedTerminal;
  session: PaymentSessionRow;
  body: BodyOf<typeof AuthoriseAction>;
}

/**
 * Decides an authorisation request. For a device that authorised at its own bank only the accepted schemes are
 * checked; otherwise the issuer checks the chip data and decides. The decision contains no full card number and no
 * PIN.
 */
export async function authorise(
  tx: Transaction,
  services: ActionServices,
  context: AuthorisationContext,
): Promise<StoredDecision> {
  const { action, body } = context;
  const { card, chip, device } = body;
  const disabledSchemes = action.type === 'Payment' ? await disabledPaymentMethods(tx, context.session) : [];
  if (device) return { card, decision: decideByDevice(device, card.scheme, disabledSchemes) };
  if (!chip) return { card, decision: decideByIssuer(tx, services, { context, disabledSchemes }) };
  const checked = await checkCard(tx, services, context);
  if (checked.outcome === 'declined') {
    const { code, reason, answer } = checked;
    services.log.warn(
      { terminalId: action.terminal_id, actionId: action.id, reason },
      'a card was not trusted',
    );
    return { card, decision: { outcome: 'declined', code }, ...(answer && { chip: answer }) };
  }
  const decision = decideByIssuer(tx, services, { context, disabledSchemes });
  const answer = checked.answer(decision.outcome);
  return { card, decision, ...(answer && { chip: answer }) };
}

function decideByIssuer(
  tx: Transaction,
  services: Pick<Services, 'settings' | 'clock' | 'faults'>,
  { context, disabledSchemes }: { context: AuthorisationContext; disabledSchemes: readonly string[] },
): Decision {
  const { action, body } = context;
  const { card, verification } = body;
  const { settings, clock } = services;
  const decision = decide({
    actionId: action.id,
    amountMinor: action.amount_minor,
    card,
    verification,
    disabledSchemes,
    magicAmounts: magicAmountsApply(settings),
    nowMs: clock.nowMs(),
  });
  if (decision.outcome === 'declined') return decision;
  const ids = [action.session_id, action.id, action.terminal_id];
  if (!bankFails(tx, services, { at: 'bank.authorisation', ids })) return decision;
  return { outcome: 'declined', code: DECLINED_BY_FAULT };
}

/** The device's bank has approved, so only the accepted schemes are checked. */
function decideByDevice(
  { authorisationCode }: DeviceApproval,
  scheme: string,
  disabledSchemes: readonly string[],
): Decision {
  return declineOfScheme(scheme, disabledSchemes) ?? { outcome: 'approved', authorisationCode };
}

/** Checks the data of a chip or a magnetic stripe. Uses up its transaction keys, whatever the result. */
async function checkCard(
  tx: Transaction,
  services: ActionServices,
  context: AuthorisationContext,
): Promise<ChipCheck | ChipDecline> {
  const { action, terminal, body } = context;
  const chip = body.chip!;
  const refuse = (reason: string): ChipDecline => ({
    outcome: 'declined',
    code: UNTRUSTED_TERMINAL,
    reason,
    digest: undefined,
    answer: chip.emv === '' ? undefined : { emv: unauthenticatedDecline() },
  });
  const { pairingSecret } = services.settings;
  try {
    const keys = await consumeTransactionKeys(tx, pairingSecret, terminal, chip.cardData);
    if (!keys) return refuse('the key serial number is none that this terminal may use');
    const { card, verification } = body;
    const { type, amount_minor: amountMinor, currency } = action;
    const transaction = { card, chip, verification, type, amountMinor, currency };
    const checked = checkChip({ ...transaction, keys, secret: pairingSecret });
    const { digest } = checked;
    // Recorded for a wrong PIN too; otherwise one cryptogram would serve for many guesses.
    const isNew = digest === undefined || (await saveCryptogram(tx, digest, services.clock.nowMs()));
    if (checked.outcome === 'declined' || isNew) return checked;
    return checked.decline(UNTRUSTED_CARD, 'the cryptogram has come before');
  } catch (error) {
    // Messages of protocol/ faults name tags and lengths, never values.
    if (error instanceof Fault && error.code === 'garbage_message') return refuse(error.message);
    throw error;
  }
}
