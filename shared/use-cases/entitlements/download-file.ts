import { type NoAccess, noAccessOf } from '../../domain/entitlements/access-right.ts';
import { type GrantedFile, tokenStanding } from '../../domain/entitlements/download-link.ts';
import { hourlyDownloads, isUsedUp, withDownload } from '../../domain/entitlements/downloads.ts';
import type { EntitlementFile, FilesConfig } from '../../domain/entitlements/entitlement.ts';
import { type FilePlace, type FoundFile, isAsAnnounced } from '../../domain/entitlements/files.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import { orderSecret } from '../../domain/orders/order-link.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { type WaitingDeps, waitingLines } from '../withdrawal/load-waiting.ts';

export interface OpenDownloadDeps extends WaitingDeps {
  grants: Pick<GrantStore, 'find'>;
  payments: Pick<PaymentStore, 'find'>;
  entitlements: Pick<EntitlementStore, 'find'>;
  files: { look(place: FilePlace): Promise<FoundFile | undefined> };
  /** The stack's own secret; undefined if no link was ever made. */
  stackSecret: () => Promise<string | undefined>;
}

export interface DownloadDeps extends OpenDownloadDeps {
  grants: Pick<GrantStore, 'find' | 'save'>;
  files: OpenDownloadDeps['files'] & {
    signDownload(place: FilePlace, file: { name: string; size: number }): Promise<string>;
  };
  throttles: ThrottleStore;
  hashOf: (text: string) => string;
}

/** A link as a browser presents it. */
export interface DownloadLink extends GrantedFile {
  token: string;
}

/** A file that its buyer may download now. */
interface OpenDownload {
  outcome: 'open';
  grant: Grant;
  config: FilesConfig;
  file: EntitlementFile & { size: number };
}

/** Why a link does not give the file. An expired link was made by this stack, so it may lead to the order. */
export type ClosedDownload =
  /** `early`: the content of the line still waits for the confirmation of the contract. */
  | { outcome: 'closed' | 'often' | 'used_up' | 'early' }
  | { outcome: 'outdated'; paymentId: string }
  | { outcome: 'ended'; reason: NoAccess };

/**
 * Checks a link and the buyer's current right to its file. It reads the payment, so access ends before a worker has
 * revoked the grant. It stores nothing, because mail programs also open links.
 */
export async function openDownload(deps: OpenDownloadDeps, link: DownloadLink): Promise<OpenDownload | ClosedDownload> {
  const [grant, ofStack] = await Promise.all([deps.grants.find(link.grantId), deps.stackSecret()]);
  const payment = grant && (await deps.payments.find(grant.paymentId));
  if (!payment || !ofStack) return { outcome: 'closed' };
  const secret = orderSecret(payment, ofStack);
  const standing = tokenStanding(link.token, link, { now: deps.now(), secret });
  if (standing === 'foreign') return { outcome: 'closed' };
  if (standing === 'expired') return { outcome: 'outdated', paymentId: payment.id };
  return findFile(deps, { grant, payment }, link.fileId);
}

async function findFile(
  deps: OpenDownloadDeps,
  { grant, payment }: { grant: Grant; payment: Payment },
  fileId: string,
): Promise<OpenDownload | ClosedDownload> {
  const { entitlements, files } = deps;
  const entitlement = await entitlements.find(grant.entitlementId);
  if (entitlement?.config.type !== 'digital_files') return { outcome: 'closed' };
  const reason = noAccessOf(grant, payment);
  if (reason !== undefined) return { outcome: 'ended', reason };
  if ((await waitingLines(deps, payment, [grant])).size > 0) return { outcome: 'early' };
  const { config } = entitlement;
  const announced = config.files.find(({ id }) => id === fileId);
  const file = announced && (await arrived(files, entitlement.id, announced));
  if (!file) return { outcome: 'closed' };
  return isUsedUp(config, grant, fileId) ? { outcome: 'used_up' } : { outcome: 'open', grant, config, file };
}

/** The file, if its uploaded bytes match what was announced; otherwise undefined. */
async function arrived(
  files: OpenDownloadDeps['files'],
  entitlementId: string,
  file: EntitlementFile,
): Promise<OpenDownload['file'] | undefined> {
  const { isReady, size } = file;
  if (isReady && size !== null) return { ...file, size };
  const found = await files.look({ entitlementId, fileId: file.id });
  return found && isAsAnnounced(file, found) ? { ...file, size: found.size } : undefined;
}

/**
 * Stores that the buyer pressed the button, and signs an address of the bucket. If another writer changes the grant,
 * such as a revocation, the check starts again.
 */
export async function downloadFile(
  deps: DownloadDeps,
  link: DownloadLink,
): Promise<{ outcome: 'leads'; url: string } | ClosedDownload> {
  const opened = await retryStale(async () => {
    const found = await openDownload(deps, link);
    if (found.outcome !== 'open') return found;
    if (await isTooOften(deps, link)) return { outcome: 'often' as const };
    await deps.grants.save({ grant: withDownload(found.grant, link.fileId, deps.now()) });
    return found;
  });
  if (opened.outcome !== 'open') return opened;
  const { grant, file } = opened;
  const url = await deps.files.signDownload({ entitlementId: grant.entitlementId, fileId: file.id }, file);
  return { outcome: 'leads', url };
}

const isTooOften = async ({ throttles, hashOf, now }: DownloadDeps, { grantId }: GrantedFile): Promise<boolean> =>
  (await throttles.count(hashOf(`download ${grantId}`), now())) > hourlyDownloads;
