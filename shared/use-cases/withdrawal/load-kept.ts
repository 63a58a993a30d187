import { grantsOwedBy } from '../../domain/entitlements/grant.ts';
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

/**
 * The reasons why a buyer keeps the right of withdrawal although the content was supplied at once. The confirmation of
 * the contract did not come first.
 */
const unconfirmed: readonly StandingReason[] = ['no_confirmation', 'confirmed_late', 'begun_before_confirmation'];

/**
 * The lines whose content opened before the contract was confirmed, each with the last day on which the buyer can
 * withdraw. A line whose grants are not issued, or could not be loaded, has not opened. The notes of the mails are read
 * only if the buyer waived the right for a line.
 */
export async function keptLines(
  { mails, now }: KeptDeps,
  payment: Payment,
  { grants, waiting }: { grants: readonly GrantView[]; waiting: ReadonlySet<number> },
): Promise<ReadonlyMap<number, string>> {
  const owing = new Set(grantsOwedBy(payment).map(({ line }) => line));
  const isOpen = (line: number) =>
    !waiting.has(line) && (!owing.has(line) || grants.some(({ grant }) => grant.line === line));
  const open = payment.lines.map((_, line) => line).filter((line) => isWaived(payment, line) && isOpen(line));
  if (open.length === 0) return new Map();
  const supplied = grants.map(({ grant, key }) => ({ grant, key: key?.key }));
  const facts = supplyFacts(payment, await mails.notes(payment.id), supplied);
  const { period, lines } = standingOf(payment, facts, now().toISOString());
  const kept = lines.filter(
    ({ line, right, why }) => open.includes(line) && right === 'open' && unconfirmed.includes(why),
  );
  return new Map(kept.map(({ line }) => [line, period.lastDay]));
}
