import type { Entitlement, EntitlementFile } from '../../domain/entitlements/entitlement.ts';
import { type FilePlace, type UploadAddress, withFileInPlaceOf } from '../../domain/entitlements/files.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { retryStale } from '../retry.ts';
import {
  filesChanged,
  filesConfigOf,
  lookForFiles,
  type ReadEntitlementDeps,
  removeDropped,
} from './entitlement-files.ts';

type PartHeaders = { 'x-amz-checksum-sha256': string };

interface FilePart {
  number: number;
  size: number;
  sha256: string;
}

interface ArrivedPart {
  number: number;
  etag: string;
  sha256: string;
}

/** The functions of the bucket for uploads in parts. */
interface PartedFiles {
  beginParts(place: FilePlace): Promise<string>;
  signPart(place: FilePlace, part: FilePart & { uploadId: string }): Promise<UploadAddress<PartHeaders>>;
  finishParts(place: FilePlace, upload: { uploadId: string; size: number; parts: ArrivedPart[] }): Promise<void>;
}

export interface UploadInPartsDeps extends ReadEntitlementDeps {
  files: ReadEntitlementDeps['files'] & PartedFiles;
}

/** A file whose bytes have not arrived yet and whose size was announced. */
function awaitedFile(entitlement: Entitlement, fileId: string): EntitlementFile & { size: number } {
  const file = filesConfigOf(entitlement).files.find(({ id }) => id === fileId);
  if (!file) throw notFound('file', fileId);
  const { size, isReady } = file;
  if (isReady || size === null) throw new DomainError('CONFLICT', `The file ${fileId} waits for no parts.`);
  return { ...file, size };
}

/**
 * Signs the address for the upload of one part. The first part also begins the upload. A part can be signed and sent
 * again.
 */
export async function signFilePart(
  { entitlements, files }: UploadInPartsDeps,
  place: FilePlace,
  { uploadId: begun, ...part }: FilePart & { uploadId?: string | undefined },
): Promise<{ uploadId: string; address: UploadAddress<PartHeaders> }> {
  awaitedFile(await entitlements.get(place.entitlementId), place.fileId);
  const uploadId = begun ?? (await files.beginParts(place));
  return { uploadId, address: await files.signPart(place, { uploadId, ...part }) };
}

interface FinishedFile {
  uploadId: string;
  parts: ArrivedPart[];
  /** The id of the file that this file replaces when it is complete; undefined if it replaces none. */
  replaces?: string | undefined;
}

/**
 * Joins the parts of a file. From then on, buyers see it instead of the file that it replaces. The bucket refuses a
 * size that differs from the announced one.
 */
export async function finishFile(
  deps: UploadInPartsDeps,
  place: FilePlace,
  { uploadId, parts, replaces }: FinishedFile,
  claim: Claim<Entitlement>,
): Promise<Entitlement> {
  const { size } = awaitedFile(await deps.entitlements.get(place.entitlementId), place.fileId);
  // The file exists already if an earlier try was interrupted after this step.
  const isThere = (await deps.files.look(place)) !== undefined;
  if (!isThere) await deps.files.finishParts(place, { uploadId, size, parts });
  return retryStale(async () => {
    const before = await deps.entitlements.get(place.entitlementId);
    const looked = await lookForFiles(deps, before);
    const config = filesConfigOf(looked);
    const entitlement = {
      ...looked,
      config: replaces === undefined ? config : withFileInPlaceOf(config, place.fileId, replaces),
      updatedAt: deps.now().toISOString(),
    };
    await deps.entitlements.save(entitlement, claim(entitlement, filesChanged(entitlement.id)));
    await removeDropped(deps, before, entitlement);
    return entitlement;
  });
}
