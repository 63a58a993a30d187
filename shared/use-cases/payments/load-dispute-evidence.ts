import { offeredFiles } from '../../domain/entitlements/files.ts';
import { type Grant, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import type { Activation } from '../../domain/entitlements/license-key.ts';
import type { Dispute } from '../../domain/payments/dispute.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

export interface LoadDisputeEvidenceDeps {
  disputes: Pick<DisputeStore, 'get'>;
  payments: Pick<PaymentStore, 'get'>;
  documents: Pick<DocumentStore, 'find'>;
  grants: Pick<GrantStore, 'findMany'>;
  entitlements: Pick<EntitlementStore, 'findMany'>;
  licenseKeys: Pick<LicenseKeyStore, 'listActivations'>;
}

/** How often a buyer downloaded a file. */
interface UsedFile {
  /** The name; undefined if the merchant has removed the file. */
  name: string | undefined;
  /** The downloads; absent if there were none. */
  use?: { firstAt: string; lastAt: string; count: number };
}

/** What a grant gave, and how it was used. It does not contain the licence key. */
export interface UsedGrant {
  grant: Grant;
  files: readonly UsedFile[];
  /** The devices on which its licence key is active. */
  devices: readonly Activation[];
}

/** The facts about a disputed sale that help to answer the bank. */
export interface DisputeEvidence {
  dispute: Dispute;
  payment: Payment;
  mail: Awaited<ReturnType<DocumentStore['find']>>['mail'];
  used: readonly UsedGrant[];
}

/** The most devices of one key that are listed. */
const mostDevices = 100;

/** Collects what is stored about the delivery and the use of a disputed sale. Changes nothing. */
export async function loadDisputeEvidence(deps: LoadDisputeEvidenceDeps, disputeId: string): Promise<DisputeEvidence> {
  const dispute = await deps.disputes.get(disputeId);
  const payment = await deps.payments.get(dispute.paymentId);
  const owed = grantsOwedBy(payment);
  const [{ mail }, grants, entitlements] = await Promise.all([
    deps.documents.find(payment.id),
    deps.grants.findMany(owed.map(({ id }) => id)),
    deps.entitlements.findMany([...new Set(owed.map(({ entitlement }) => entitlement.id))]),
  ]);
  const used = await Promise.all(
    [...grants.values()].map(async (grant): Promise<UsedGrant> => {
      const config = entitlements.get(grant.entitlementId)?.config;
      const files = config?.type === 'digital_files' ? offeredFiles(config) : [];
      return { grant, files: usedFiles(grant, files), devices: await devicesOf(deps, grant) };
    }),
  );
  return { dispute, payment, mail, used };
}

function usedFiles({ downloads = {} }: Grant, files: readonly { id: string; name: string }[]): UsedFile[] {
  const offered = files.map(({ id, name }) => ({ name, ...(downloads[id] && { use: downloads[id] }) }));
  const removed = Object.entries(downloads).filter(([id]) => files.every((file) => file.id !== id));
  return [...offered, ...removed.map(([, use]) => ({ name: undefined, use }))];
}

async function devicesOf({ licenseKeys }: LoadDisputeEvidenceDeps, { licenseKeyId }: Grant): Promise<Activation[]> {
  if (licenseKeyId === null) return [];
  const page = { size: mostDevices, skip: 0, after: undefined };
  return (await licenseKeys.listActivations(licenseKeyId, page)).items.toReversed();
}
