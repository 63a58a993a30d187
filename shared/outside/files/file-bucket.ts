import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { fileUploadSeconds, signedAddressSeconds } from '../../domain/access/left-behind.ts';
import { isOfEncryptionKey } from '../../domain/encryption-key.ts';
import {
  downloadSeconds,
  type FilePlace,
  type FoundFile,
  filePrefix,
  type UploadAddress,
} from '../../domain/entitlements/files.ts';
import { DomainError } from '../../domain/errors.ts';
import { attachmentNamed } from './attachment.ts';

/** What the uploader announces about an upload. The signature includes it. */
interface Announced {
  size: number | null;
  /** The SHA-256 in hex; null if none is announced. */
  sha256: string | null;
}

/** One part of a large upload. All parts except the last have at least 5 MiB. */
interface Part {
  uploadId: string;
  /** The number of the part, starting at 1. */
  number: number;
  size: number;
  sha256: string;
}

/** The headers of one part. */
type PartHeaders = { 'x-amz-checksum-sha256': string };

/** A part that has arrived, with the ETag from the bucket's response. */
interface ArrivedPart {
  number: number;
  etag: string;
  sha256: string;
}

/** The private bucket of the files that buyers download. */
export interface FileBucket {
  /** Signs the upload of a whole file. The bucket refuses another size, other bytes, and a second upload. */
  signUpload(place: FilePlace, announced: Announced): Promise<UploadAddress>;
  /**
   * Signs the upload of a whole file of any size, for clients that send no headers. The upload must begin within a
   * minute.
   */
  signBareUpload(place: FilePlace): Promise<string>;
  /** Begins an upload in parts, and returns the id of this upload. */
  beginParts(place: FilePlace): Promise<string>;
  /** Signs the upload of one part. It can be sent again until the upload is finished. */
  signPart(place: FilePlace, part: Part): Promise<UploadAddress<PartHeaders>>;
  /** Joins the parts. The bucket refuses a size that differs from the announced one. */
  finishParts(place: FilePlace, upload: { uploadId: string; size: number; parts: ArrivedPart[] }): Promise<void>;
  abortParts(place: FilePlace, uploadId: string): Promise<void>;
  /** What has arrived in the bucket; undefined if nothing has. */
  look(place: FilePlace): Promise<FoundFile | undefined>;
  remove(place: FilePlace): Promise<void>;
  /**
   * Signs an address with which a browser saves the file, and never shows it. It also serves parts of the file. By
   * default, it works long enough for a slow connection.
   */
  signDownload(place: FilePlace, file: { name: string; size: number }, seconds?: number): Promise<string>;
}

/** The client computes no checksums, because the checksums of uploads are announced and signed. */
const settings = {
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  maxAttempts: 3,
} as const;

const checksumHeader = 'x-amz-checksum-sha256';
/** The checksum stays a header and does not become part of the address. So the bucket compares it with the bytes. */
const uploadOptions = { expiresIn: fileUploadSeconds, unhoistableHeaders: new Set([checksumHeader]) };

/** Returns where a file is in the bucket. */
type PlaceOf = (place: FilePlace) => { Bucket: string; Key: string };

/**
 * The bucket of the files that buyers download. With `isPlayed`, the bucket is a fake at its own address, and the path
 * contains the bucket.
 */
export function fileBucket(bucketName: string, { isPlayed }: { isPlayed: boolean }): FileBucket {
  const client = new S3Client({ ...settings, forcePathStyle: isPlayed });
  const at: PlaceOf = ({ entitlementId, fileId }) => ({
    Bucket: bucketName,
    Key: `${filePrefix}${entitlementId}/${fileId}`,
  });
  return { ...wholeFiles(client, at), ...filesInParts(client, at) };
}

const signedUpload = async <Headers>(url: Promise<string>, headers: Headers): Promise<UploadAddress<Headers>> => ({
  method: 'PUT',
  url: await url,
  headers,
  seconds: fileUploadSeconds,
});

const wholeFiles = (
  client: S3Client,
  at: PlaceOf,
): Pick<FileBucket, 'signUpload' | 'signBareUpload' | 'look' | 'remove' | 'signDownload'> => ({
  signBareUpload: (place) => getSignedUrl(client, new PutObjectCommand(at(place)), { expiresIn: signedAddressSeconds }),
  signUpload: (place, { size, sha256 }) => {
    const checksum = sha256 === null ? undefined : base64(sha256);
    const announced = { ContentLength: size ?? undefined, ChecksumSHA256: checksum };
    const command = new PutObjectCommand({ ...at(place), ...announced, IfNoneMatch: '*' });
    return signedUpload(getSignedUrl(client, command, uploadOptions), {
      'if-none-match': '*',
      ...(checksum !== undefined && { [checksumHeader]: checksum }),
    });
  },
  look: async (place) => {
    const command = new HeadObjectCommand({ ...at(place), ChecksumMode: 'ENABLED' });
    const found = await client.send(command).catch(unlessMissing);
    return found && { size: found.ContentLength ?? 0, sha256: wholeChecksum(found.ChecksumSHA256) };
  },
  remove: async (place) => {
    await client.send(new DeleteObjectCommand(at(place))).catch(unavailable);
  },
  signDownload: (place, { name, size }, seconds = downloadSeconds(size)) => {
    const command = new GetObjectCommand({
      ...at(place),
      ResponseContentDisposition: attachmentNamed(name),
      ResponseContentType: 'application/octet-stream', // With this type, no browser shows what a merchant has uploaded.
      ResponseCacheControl: 'private, no-store',
    });
    return getSignedUrl(client, command, { expiresIn: seconds });
  },
});

const filesInParts = (
  client: S3Client,
  at: PlaceOf,
): Pick<FileBucket, 'beginParts' | 'signPart' | 'finishParts' | 'abortParts'> => ({
  beginParts: async (place) => {
    const command = new CreateMultipartUploadCommand({ ...at(place), ChecksumAlgorithm: 'SHA256' });
    const { UploadId } = await client.send(command).catch(unavailable);
    return UploadId ?? unavailable(new Error('The bucket began an upload without an id.'));
  },
  signPart: (place, { uploadId, number, size, sha256 }) => {
    const checksum = base64(sha256);
    const input = { UploadId: uploadId, PartNumber: number, ContentLength: size, ChecksumSHA256: checksum };
    const command = new UploadPartCommand({ ...at(place), ...input });
    return signedUpload(getSignedUrl(client, command, uploadOptions), { [checksumHeader]: checksum });
  },
  finishParts: async (place, { uploadId, size, parts }) => {
    const Parts = parts.map(({ number, etag, sha256 }) => ({
      PartNumber: number,
      ETag: etag,
      ChecksumSHA256: base64(sha256),
    }));
    const input = { UploadId: uploadId, MultipartUpload: { Parts }, MpuObjectSize: size, IfNoneMatch: '*' };
    await client.send(new CompleteMultipartUploadCommand({ ...at(place), ...input })).catch(unfinished);
  },
  abortParts: async (place, uploadId) => {
    const command = new AbortMultipartUploadCommand({ ...at(place), UploadId: uploadId });
    await client.send(command).catch(unlessMissing);
  },
});

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

/**
 * The checksum of a file that was uploaded in one piece. A checksum of parts (`…-7`) is not a checksum of the file's
 * bytes.
 */
const wholeChecksum = (checksum: string | undefined): string | null =>
  checksum === undefined || checksum.includes('-') ? null : Buffer.from(checksum, 'base64').toString('hex');

/**
 * Treats a forbidden object as missing. S3 answers that way for missing objects, because no role may list the bucket.
 */
function unlessMissing(error: unknown): undefined {
  const isAnswer = error instanceof S3ServiceException && !isOfEncryptionKey(error);
  const status = isAnswer ? error.$metadata.httpStatusCode : undefined;
  return status === 404 || status === 403 ? undefined : unavailable(error);
}

/** Throws the error for parts that do not match the announcement. The caller has caused it. */
function unfinished(cause: unknown): never {
  const status = cause instanceof S3ServiceException ? (cause.$metadata.httpStatusCode ?? 500) : 500;
  if (status < 400 || status >= 500 || isOfEncryptionKey(cause)) return unavailable(cause);
  throw new DomainError('INVALID_REQUEST_PARAMETERS', 'The parts are not the announced file. Upload it again.', {
    cause,
  });
}

const unavailable = (cause: unknown): never => {
  throw new DomainError('SERVICE_UNAVAILABLE', 'The files could not be reached. Try again.', { cause });
};
