import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { signedAddressSeconds } from '../../domain/access/left-behind.ts';
import { DomainError } from '../../domain/errors.ts';
import { exportPrefix } from '../../domain/reports/export-job.ts';

/**
 * Addresses have the bucket in their path, not in the host, because the buckets of sandboxes and emulators require it.
 */
const settings = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  maxAttempts: 3,
} as const;

/** The exported files in the bucket. */
export interface ExportBucket {
  /** Stores a file and returns its number of bytes. */
  storeFile(jobId: string, name: string, text: string): Promise<number>;
  /** Reads a file that was stored. */
  readFile(jobId: string, name: string): Promise<string>;
  /** Signs an address that lets its holder download the file for a minute. */
  linkTo(jobId: string, name: string): Promise<string>;
}

const keyOf = (jobId: string, name: string): string => `${exportPrefix}${jobId}/${name}`;

export function exportBucket(bucketName: string): ExportBucket {
  const client = new S3Client(settings);
  return {
    storeFile: async (jobId, name, text) => {
      const Body = Buffer.from(text);
      const ContentType = 'text/csv; charset=utf-8';
      const command = new PutObjectCommand({ Bucket: bucketName, Key: keyOf(jobId, name), Body, ContentType });
      await client.send(command).catch(unavailable);
      return Body.length;
    },
    readFile: async (jobId, name) => {
      const command = new GetObjectCommand({ Bucket: bucketName, Key: keyOf(jobId, name) });
      const { Body } = await client.send(command).catch(unavailable);
      return (await Body?.transformToString()) ?? '';
    },
    linkTo: (jobId, name) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucketName,
          Key: keyOf(jobId, name),
          ResponseContentDisposition: `attachment; filename="${name}"`,
        }),
        { expiresIn: signedAddressSeconds },
      ),
  };
}

const unavailable = (cause: unknown): never => {
  throw new DomainError('SERVICE_UNAVAILABLE', 'The files could not be reached. Try again.', { cause });
};
