import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type CleanImage, imagePrefix, imageTypes, type Upload, uploadPrefix } from '../domain/catalogue/image.ts';
import { DomainError } from '../domain/errors.ts';
import { maxImageBytes, tooLarge } from './image.ts';

const uploadSeconds = 60;

export interface ImageBucket {
  /** Signs an address that accepts one PUT within a minute. Size and type are checked when the image is published. */
  signUpload(upload: Upload): Promise<string>;
  /** The uploaded file, unless it is too large to check; undefined if there is none. */
  findUpload(upload: Upload): Promise<Buffer | undefined>;
  removeUpload(upload: Upload): Promise<void>;
  publish(fileName: string, image: CleanImage): Promise<void>;
  find(fileName: string): Promise<Buffer | undefined>;
}

const uploadKey = ({ ownerId, imageId }: Upload): string => `${uploadPrefix}${ownerId}/${imageId}`;

/**
 * Addresses name the bucket in their path, as the buckets of sandboxes and emulators demand. A checksum is not signed in: the
 * uploader would have to know it beforehand.
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
    signUpload: (upload) => getSignedUrl(client, put({ Key: uploadKey(upload) }), { expiresIn: uploadSeconds }),
    findUpload: (upload) => readUpload(client, { Bucket: bucketName, Key: uploadKey(upload) }),
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

/** Reads an upload only after its size is known, and only the version that had this size. */
async function readUpload(client: S3Client, object: { Bucket: string; Key: string }): Promise<Buffer | undefined> {
  const head = await client.send(new HeadObjectCommand(object)).catch(unlessMissing);
  if (head === undefined) return undefined;
  if ((head.ContentLength ?? 0) > maxImageBytes) throw tooLarge();
  return readObject(client, { ...object, IfMatch: head.ETag });
}

async function readObject(client: S3Client, object: GetObjectCommandInput): Promise<Buffer | undefined> {
  const found = await client.send(new GetObjectCommand(object)).catch(unlessMissing);
  return found && Buffer.from((await found.Body?.transformToByteArray()) ?? []);
}

/** A missing object is also forbidden, because no role may list the bucket. */
function unlessMissing(error: unknown): undefined {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 404 || status === 403 ? undefined : unavailable(error);
}

const unavailable = (cause: unknown): never => {
  throw new DomainError('SERVICE_UNAVAILABLE', 'The images could not be reached. Try again.', { cause });
};
