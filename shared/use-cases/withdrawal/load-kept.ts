import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isWaived } from '../../domain/withdrawal/opening.ts';
import { type StandingReason, standingOf } from '../../domain/withdrawal/standing.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import { supplyFacts } from './load-supply.ts';

interface KeptDeps {
  mails: Pick<MailStore, 'notes'>;
  now: () => Date;
}

/** Why a buyer who asked for content at once keeps the right of withdrawal: the confirmation did not come before it. */
const unconfirmed: readonly StandingReason[] = ['no_confirmation', 'confirmed_late', 'begun_before_confirmation'];

/**
 * The lines that have opened without a confirmation, with the last day on which their buyer can withdraw. Only for
 * waived lines, the notes of the mails are read.
 */
export async function keptLines(
  { mails, now }: KeptDeps,
  payment: Payment,
  { grants, waiting }: { grants: readonly GrantView[]; waiting: ReadonlySet<number> },
): Promise<ReadonlyMap<number, string>> {
  const open = payment.lines.map((_, line) => line).filter((line) => isWaived(payment, line) && !waiting.has(line));
  if (open.length === 0) return new Map();
  const supplied = grants.map(({ grant, key }) => ({ grant, key: key?.key }));
  const facts = supplyFacts(payment, await mails.notes(payment.id), supplied);
  const { period, lines } = standingOf(payment, facts, now().toISOString());
  const kept = lines.filter(
    ({ line, right, why }) => open.includes(line) && right === 'open' && unconfirmed.includes(why),
  );
  return new Map(kept.map(({ line }) => [line, period.lastDay]));
}
