import { refuse } from '../errors.ts';
import type { EntitlementFile, FilesConfig } from './entitlement.ts';

/** The size of the largest file: 5 GB, which is the most that one upload to the bucket can contain. */
export const maxFileBytes = 5 * 1_024 ** 3;
/** The most files of an entitlement. */
export const maxFiles = 100;
/** The prefix of all files in their bucket. */
export const filePrefix = 'files/';

/** Where a file is stored: each entitlement has its own folder. */
export interface FilePlace {
  entitlementId: string;
  fileId: string;
}

/** The address, text and files in the older delivery field of a product. A missing field is not changed. */
export interface OwnFiles {
  url?: string | null;
  instructions?: string | null;
  fileIds?: string[];
}

/** What an uploader says about a file before it sends the bytes. */
export type AnnouncedFile = Partial<Pick<EntitlementFile, 'name' | 'contentType' | 'size' | 'sha256'>>;

/** The bytes in the bucket. `sha256` is in hex; null if the bucket has not checked the SHA-256 of the whole file. */
export interface FoundFile {
  size: number;
  sha256: string | null;
}

/** An address that accepts one upload, with the headers that the uploader must send. */
export interface UploadAddress<Headers = WholeFileHeaders> {
  method: 'PUT';
  url: string;
  headers: Headers;
  seconds: number;
}

/** The headers for the upload of a file in one piece. */
type WholeFileHeaders = { 'if-none-match': '*'; 'x-amz-checksum-sha256'?: string };

/** A new file, and the address for its bytes. */
export interface AddedFile {
  file: EntitlementFile;
  upload: UploadAddress;
}

/** What the bucket contains, by file id; undefined if nothing has arrived. */
export type FileFindings = ReadonlyMap<string, FoundFile | undefined>;

export const newFile = (
  { name, contentType = null, size = null, sha256 = null }: AnnouncedFile,
  { id, now }: { id: string; now: Date },
): EntitlementFile => ({
  id,
  name: name ?? id,
  contentType,
  size,
  sha256,
  isReady: false,
  createdAt: now.toISOString(),
});

/** Whether the bytes match what was announced. If no size was announced, any size up to the limit is accepted. */
export const isAsAnnounced = ({ size, sha256 }: EntitlementFile, found: FoundFile): boolean =>
  found.size > 0 &&
  found.size <= maxFileBytes &&
  (size === null || size === found.size) &&
  (sha256 === null || sha256 === found.sha256);

export const awaitedFiles = ({ files }: FilesConfig): EntitlementFile[] => files.filter(({ isReady }) => !isReady);

/** How long an upload may take. A file that has not arrived by then is removed from the list. */
const awaitedMs = 24 * 3_600 * 1_000;

/**
 * The files after a check of the bucket. It removes files whose bytes do not match, and files that have not arrived in
 * time.
 */
export function withFindings(config: FilesConfig, found: FileFindings, now: Date): FilesConfig {
  const files = config.files.flatMap((file): EntitlementFile[] => {
    if (file.isReady || !found.has(file.id)) return [file];
    const bytes = found.get(file.id);
    if (!bytes) return now.getTime() - Date.parse(file.createdAt) < awaitedMs ? [file] : [];
    return isAsAnnounced(file, bytes) ? [{ ...file, size: bytes.size, isReady: true }] : [];
  });
  return { ...config, files };
}

/** The files that buyers can download, in the order of their page. */
export const offeredFiles = ({ files }: FilesConfig): EntitlementFile[] => files.filter(({ isReady }) => isReady);

/** Adds a file at the end. */
export function withFile(config: FilesConfig, file: EntitlementFile): FilesConfig {
  if (config.files.length < maxFiles) return { ...config, files: [...config.files, file] };
  throw refuse('INVALID_REQUEST_PARAMETERS', 'id', `An entitlement has at most ${maxFiles} files.`);
}

export const withoutFile = (config: FilesConfig, fileId: string): FilesConfig => ({
  ...config,
  files: config.files.filter(({ id }) => id !== fileId),
});

/** Replaces an old file with a new one, at the same position, when the bytes of the new one have arrived. */
export function withFileInPlaceOf(config: FilesConfig, fileId: string, oldId: string): FilesConfig {
  const file = config.files.find(({ id }) => id === fileId);
  const isThere = config.files.some(({ id }) => id === oldId);
  if (!file?.isReady || !isThere || fileId === oldId) return config;
  const { files } = withoutFile(config, fileId);
  return { ...config, files: files.map((one) => (one.id === oldId ? file : one)) };
}

/** Gives a file another name. Its bytes, its id and its position stay. */
export const withFileName = (config: FilesConfig, fileId: string, name: string): FilesConfig => ({
  ...config,
  files: config.files.map((file) => (file.id === fileId ? { ...file, name } : file)),
});

/** Moves a file one place up. The first one stays. */
export function withFileUp(config: FilesConfig, fileId: string): FilesConfig {
  const files = [...config.files];
  const at = files.findIndex(({ id }) => id === fileId);
  const moved = at < 1 ? [] : files.splice(at, 1);
  files.splice(at - 1, 0, ...moved);
  return { ...config, files };
}

/** The speed of a slow connection: 1 Mbit/s. */
const slowBytesPerSecond = 125_000;
const leastSeconds = 3_600;
/** The longest session of an IAM role. The bucket refuses a signature after the session that made it has ended. */
const mostSeconds = 12 * 3_600;

/** For how long the address of a download works: as long as the file takes on a slow connection, and at least an hour. */
export const downloadSeconds = (bytes: number): number =>
  Math.min(mostSeconds, Math.max(leastSeconds, Math.ceil(bytes / slowBytesPerSecond)));
