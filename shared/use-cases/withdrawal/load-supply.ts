import { type Grant, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import type { LicenseKey } from '../../domain/entitlements/license-key.ts';
import { confirmedBy } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type LineSupply, type SupplyFacts, supplyOf } from '../../domain/withdrawal/supply.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';

export interface LoadSupplyDeps {
  mails: Pick<MailStore, 'notes'>;
  grants: Pick<GrantStore, 'findMany'>;
  licenseKeys: Pick<LicenseKeyStore, 'find'>;
}

/** A grant with its licence key. */
interface Supplied {
  grant: Grant;
  key: LicenseKey | undefined;
}

/** The facts about the confirmation of a payment, and about the supply of each of its lines. */
export async function supplyFactsOf(
  { mails, grants, licenseKeys }: LoadSupplyDeps,
  payment: Pick<Payment, 'id' | 'lines' | 'orderLink' | 'hasOwnAddress'>,
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
  const lines = payment.lines.map((line, position): LineSupply => {
    const ofLine = supplied.filter(({ grant }) => grant.line === position);
    return { begunAt: begunAtOf(ofLine), until: supplyOf(line) === 'service' ? untilOf(ofLine) : null };
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
