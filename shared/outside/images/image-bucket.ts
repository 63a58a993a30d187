import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { signedAddressSeconds } from '../../domain/access/left-behind.ts';
import {
  type CleanImage,
  imagePrefix,
  imageTypes,
  maxImageBytes,
  type Upload,
  uploadPrefix,
} from '../../domain/catalogue/image.ts';
import { isOfEncryptionKey } from '../../domain/encryption-key.ts';
import { DomainError } from '../../domain/errors.ts';
import { tooLarge } from './image.ts';

export interface ImageBucket {
  /**
   * Signs an address that accepts one PUT within a minute, with exactly this number of bytes. If no number is given,
   * the size is checked on publication. The type is always checked then.
   */
  signUpload(upload: Upload, bytes?: number): Promise<string>;
  /** The uploaded file; undefined if there is none. A file that is too large is refused before it is read. */
  findUpload(upload: Upload): Promise<Buffer | undefined>;
  removeUpload(upload: Upload): Promise<void>;
  publish(fileName: string, image: CleanImage): Promise<void>;
  find(fileName: string): Promise<Buffer | undefined>;
}

const uploadKey = ({ ownerId, imageId }: Upload): string => `${uploadPrefix}${ownerId}/${imageId}`;

/**
 * Addresses have the bucket in their path, not in the host, because the buckets of sandboxes and emulators require it.
 * No checksum is signed, because the uploader would have to know it before.
 */
const settings = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  maxAttempts: 3,
} as const;

export function imageBucket(bucketName: string): ImageBucket {
  const client = new S3Client(settings);
  const read = (Key: string) => readObject(client, { Bucket: bucketName, Key });
  const put = (input: Omit<PutObjectCommandInput, 'Bucket'>) => new PutObjectCommand({ Bucket: bucketName, ...input });
  return {
    signUpload: (upload, ContentLength) =>
      getSignedUrl(client, put({ Key: uploadKey(upload), ContentLength }), { expiresIn: signedAddressSeconds }),
    findUpload: (upload) => read(uploadKey(upload)),
    removeUpload: async (upload) => {
      const command = new DeleteObjectCommand({ Bucket: bucketName, Key: uploadKey(upload) });
      await client.send(command).catch(unavailable);
    },
    publish: async (fileName, { format, bytes }) => {
      const command = put({ Key: imagePrefix + fileName, ContentType: imageTypes[format], Body: bytes });
      await client.send(command).catch(unavailable);
    },
    find: (fileName) => read(imagePrefix + fileName),
  };
}

/** Reads an object. It first refuses one without a stated size, or one that is larger than an image may be. */
async function readObject(client: S3Client, object: GetObjectCommandInput): Promise<Buffer | undefined> {
  const found = await client.send(new GetObjectCommand(object)).catch(unlessMissing);
  if (!found?.Body) return found && Buffer.alloc(0);
  const { Body, ContentLength = Number.POSITIVE_INFINITY } = found;
  if (ContentLength <= maxImageBytes) return Buffer.from(await Body.transformToByteArray().catch(unavailable));
  if (Body instanceof Readable) Body.destroy();
  throw tooLarge();
}

/**
 * Treats a forbidden object as missing. S3 answers that way for missing objects, because no role may list the bucket.
 */
function unlessMissing(error: unknown): undefined {
  const isAnswer = error instanceof S3ServiceException && !isOfEncryptionKey(error);
  const status = isAnswer ? error.$metadata.httpStatusCode : undefined;
  return status === 404 || status === 403 ? undefined : unavailable(error);
}

const unavailable = (cause: unknown): never => {
  throw new DomainError('SERVICE_UNAVAILABLE', 'The images could not be reached. Try again.', { cause });
};
