import { signedAddressSeconds } from '../../domain/access/left-behind.ts';
import type { Entitlement, EntitlementFile, FilesConfig } from '../../domain/entitlements/entitlement.ts';
import {
  type AddedFile,
  type AnnouncedFile,
  awaitedFiles,
  type FilePlace,
  type FoundFile,
  isAsAnnounced,
  newFile,
  type UploadAddress,
  withFile,
  withFileName,
  withFileUp,
  withFindings,
  withoutFile,
} from '../../domain/entitlements/files.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { type Claim, StaleVersion } from '../../domain/idempotency.ts';
import { describeError, logError } from '../../log.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import { retryStale } from '../retry.ts';

/** The functions of the bucket that show which files have arrived. */
export interface ArrivedFiles {
  look(place: FilePlace): Promise<FoundFile | undefined>;
  remove(place: FilePlace): Promise<void>;
}

interface LookDeps {
  files: Pick<ArrivedFiles, 'look'>;
  now: () => Date;
}

export interface ReadEntitlementDeps extends LookDeps {
  files: ArrivedFiles;
  entitlements: Pick<EntitlementStore, 'get' | 'save'>;
}

export interface AnnounceFileDeps extends ReadEntitlementDeps {
  newId: (prefix: 'fil') => string;
}

export interface AddFileDeps extends AnnounceFileDeps {
  files: ArrivedFiles & {
    signUpload(place: FilePlace, file: Pick<EntitlementFile, 'size' | 'sha256'>): Promise<UploadAddress>;
  };
}

export interface RemoveFileDeps {
  entitlements: ReadEntitlementDeps['entitlements'];
  files: Pick<ArrivedFiles, 'remove'>;
  now: () => Date;
}

/** The configuration of an entitlement that gives files. */
export function filesConfigOf({ id, config }: Entitlement): FilesConfig {
  if (config.type === 'digital_files') return config;
  throw new DomainError('INVALID_REQUEST_PARAMETERS', `The entitlement ${id} gives no files.`);
}

/**
 * Checks which expected files have arrived. A file whose bytes do not match the announcement is removed from the list.
 */
export async function lookForFiles({ files, now }: LookDeps, entitlement: Entitlement): Promise<Entitlement> {
  const { id: entitlementId, config } = entitlement;
  const awaited = config.type === 'digital_files' ? awaitedFiles(config) : [];
  if (config.type !== 'digital_files' || awaited.length === 0) return entitlement;
  const found = await Promise.all(
    awaited.map(async ({ id }) => [id, await files.look({ entitlementId, fileId: id })] as const),
  );
  return { ...entitlement, config: withFindings(config, new Map(found), now()) };
}

const filesIn = ({ config }: Entitlement): readonly EntitlementFile[] =>
  config.type === 'digital_files' ? config.files : [];

/**
 * Deletes the bytes of files that an entitlement no longer has. The row is written before, so every file in the list
 * has its bytes. If the bucket fails, the bytes stay, but nobody can get them.
 */
export async function removeDropped(
  { files }: Pick<RemoveFileDeps, 'files'>,
  before: Entitlement,
  after: Entitlement,
): Promise<void> {
  const kept = new Set(filesIn(after).map(({ id }) => id));
  const dropped = filesIn(before).filter(({ id }) => !kept.has(id));
  const removals = dropped.map(({ id: fileId }) =>
    files
      .remove({ entitlementId: before.id, fileId })
      .catch((error: unknown) => logError('The bytes of a removed file stayed.', { fileId, ...describeError(error) })),
  );
  await Promise.all(removals);
}

/** Reads an entitlement, and stores which files have arrived since the last read. */
export async function readEntitlement(deps: ReadEntitlementDeps, id: string): Promise<Entitlement> {
  const before = await deps.entitlements.get(id);
  const looked = await lookForFiles(deps, before);
  if (JSON.stringify(looked) === JSON.stringify(before)) return before;
  try {
    await deps.entitlements.save(looked, []);
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error;
    // Another request has changed the entitlement. The next read checks the files again.
    return deps.entitlements.get(id);
  }
  await removeDropped(deps, before, looked);
  return looked;
}

export const filesChanged = (subject: string) => ({
  command: 'entitlement.update' as const,
  subject,
  details: { changed: 'files' },
});

/** Adds a file to an entitlement. Buyers see it when its bytes are in the bucket and match the announcement. */
export const addFile = (
  deps: AddFileDeps,
  id: string,
  announced: AnnouncedFile,
  claim: Claim<AddedFile>,
): Promise<AddedFile> => {
  const signed = async (file: EntitlementFile) => {
    const upload = await deps.files.signUpload({ entitlementId: id, fileId: file.id }, file);
    return { file, upload };
  };
  return addFileAs(deps, { id, announced, present: signed }, claim);
};

/** Adds a file whose bytes will be uploaded in parts. */
export const announceFile = (
  deps: AnnounceFileDeps,
  id: string,
  announced: AnnouncedFile,
  claim: Claim<EntitlementFile>,
): Promise<EntitlementFile> => addFileAs(deps, { id, announced, present: async (file) => file }, claim);

interface AddedAs<Added> {
  id: string;
  announced: AnnouncedFile;
  /** Makes the answer. It runs before the file is saved. */
  present: (file: EntitlementFile) => Promise<Added>;
}

const addFileAs = <Added>(
  deps: AnnounceFileDeps,
  { id, announced, present }: AddedAs<Added>,
  claim: Claim<Added>,
): Promise<Added> =>
  retryStale(async () => {
    const before = await deps.entitlements.get(id);
    const looked = filesConfigOf(await lookForFiles(deps, before));
    const file = newFile(announced, { id: deps.newId('fil'), now: deps.now() });
    const entitlement = { ...before, config: withFile(looked, file), updatedAt: deps.now().toISOString() };
    const added = await present(file);
    await deps.entitlements.save(entitlement, claim(added, filesChanged(id)));
    await removeDropped(deps, before, entitlement);
    return added;
  });

interface FileNameChange extends FilePlace {
  name: string;
}

/** Renames a file of an entitlement. Earlier buyers see the new name too. */
export const renameFile = (
  deps: RemoveFileDeps,
  { name, ...place }: FileNameChange,
  claim: Claim<Entitlement>,
): Promise<Entitlement> => changeFiles(deps, place, (config) => withFileName(config, place.fileId, name), claim);

/** Moves a file one place up on the buyer's page. */
export const moveFileUp = (deps: RemoveFileDeps, place: FilePlace, claim: Claim<Entitlement>): Promise<Entitlement> =>
  changeFiles(deps, place, (config) => withFileUp(config, place.fileId), claim);

/** Removes a file from an entitlement. Earlier buyers lose it too. */
export const removeFile = (deps: RemoveFileDeps, place: FilePlace, claim: Claim<Entitlement>): Promise<Entitlement> =>
  changeFiles(deps, place, (config) => withoutFile(config, place.fileId), claim);

const changeFiles = (
  deps: RemoveFileDeps,
  { entitlementId: id, fileId }: FilePlace,
  change: (config: FilesConfig) => FilesConfig,
  claim: Claim<Entitlement>,
): Promise<Entitlement> =>
  retryStale(async () => {
    const before = await deps.entitlements.get(id);
    const config = filesConfigOf(before);
    if (config.files.every((file) => file.id !== fileId)) throw notFound('file', fileId);
    const after = { ...before, config: change(config), updatedAt: deps.now().toISOString() };
    await deps.entitlements.save(after, claim(after, filesChanged(id)));
    await removeDropped(deps, before, after);
    return after;
  });

interface AddressDeps {
  entitlements: Pick<EntitlementStore, 'get'>;
  files: Pick<ArrivedFiles, 'look'> & {
    signDownload(place: FilePlace, file: { name: string; size: number }, seconds: number): Promise<string>;
  };
}

/**
 * Signs an address of a file for the merchant, which works for a short time. Buyers get no such address; they use the
 * button of the page.
 */
export async function addressOfFile({ entitlements, files }: AddressDeps, place: FilePlace): Promise<string> {
  const { files: all } = filesConfigOf(await entitlements.get(place.entitlementId));
  const announced = all.find(({ id }) => id === place.fileId);
  const found = announced?.isReady === false ? await files.look(place) : undefined;
  const size = announced?.isReady ? announced.size : found?.size;
  const isThere = announced && (announced.isReady || (found && isAsAnnounced(announced, found)));
  if (!isThere) throw notFound('file', place.fileId);
  return files.signDownload(place, { name: announced.name, size: size ?? 0 }, signedAddressSeconds);
}
