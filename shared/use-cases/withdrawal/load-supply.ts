import { type Grant, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import type { LicenseKey } from '../../domain/entitlements/license-key.ts';
import { confirmedBy, type MailNote } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isWaived, opensAt, type WaivableSale } from '../../domain/withdrawal/opening.ts';
import { type LineSupply, type SupplyFacts, supplyOf } from '../../domain/withdrawal/supply.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';

export interface LoadSupplyDeps {
  mails: Pick<MailStore, 'notes'>;
  grants: Pick<GrantStore, 'findMany'>;
  licenseKeys: Pick<LicenseKeyStore, 'find'>;
}

/** The parts of a payment from which its supply follows. */
type SuppliedSale = Pick<Payment, 'id' | 'updatedAt' | 'orderLink' | 'hasOwnAddress'> & WaivableSale;

/** A grant with its licence key. */
interface Supplied {
  grant: Grant;
  key: LicenseKey | undefined;
}

/** The facts about the confirmation of a payment, and about the supply of each of its lines. */
export async function supplyFactsOf(
  { mails, grants, licenseKeys }: LoadSupplyDeps,
  payment: SuppliedSale,
): Promise<SupplyFacts> {
  const [notes, known] = await Promise.all([
    mails.notes(payment.id),
    grants.findMany(grantsOwedBy(payment).map(({ id }) => id)),
  ]);
  const supplied = await Promise.all(
    [...known.values()].map(
      async (grant): Promise<Supplied> => ({
        grant,
        key: grant.licenseKeyId === null ? undefined : await licenseKeys.find(grant.licenseKeyId),
      }),
    ),
  );
  return supplyFacts(payment, notes, supplied);
}

/**
 * The facts about the confirmation and the supply of a sale, computed from notes and grants that are already loaded.
 */
export function supplyFacts(
  payment: SuppliedSale,
  notes: readonly MailNote[],
  supplied: readonly Supplied[],
): SupplyFacts {
  const lines = payment.lines.map((line, position): LineSupply => {
    const ofLine = supplied.filter(({ grant }) => grant.line === position);
    const supply = { begunAt: begunAtOf(ofLine), until: supplyOf(line) === 'service' ? untilOf(ofLine) : null };
    if (ofLine.length === 0 || !isWaived(payment, position)) return supply;
    const opens = Math.max(...ofLine.map(({ grant }) => opensAt(grant, payment)));
    return { ...supply, opensAt: new Date(opens).toISOString() };
  });
  return { confirmedAt: confirmedBy(notes, payment)?.acceptedAt ?? null, lines };
}

/** When the supply of a line began: the first opening, download or activation of its grants. */
const begunAtOf = (supplied: readonly Supplied[]): string | null =>
  supplied
    .flatMap(({ grant: { openedAt, downloads = {} }, key }) => [
      openedAt,
      ...Object.values(downloads).map(({ firstAt }) => firstAt),
      key?.uses?.firstAt,
    ])
    .filter((at) => at !== undefined)
    .reduce<string | null>((first, at) => (first === null || at < first ? at : first), null);

/** When the last key of a line expires. Null if a key never expires, or if there is no key. */
function untilOf(supplied: readonly Supplied[]): string | null {
  const ends = supplied.map(({ key }) => key?.expiresAt ?? null);
  return ends.reduce((last, end) => (last === null || end === null ? null : last > end ? last : end), ends[0] ?? null);
}
