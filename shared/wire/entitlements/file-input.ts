import * as z from 'zod';
import { signedAddressSeconds } from '../../domain/access/left-behind.ts';
import { type AddedFile, type AnnouncedFile, maxFileBytes } from '../../domain/entitlements/files.ts';
import { text } from '../text/texts.ts';
import type { EntitlementAnswer } from './entitlement-answer.ts';

const mostNameBytes = 255;

/** A file name that every file system accepts: without folders, and at most 255 bytes in UTF-8. */
export const FileName = text(1, mostNameBytes).refine(
  (name) => !/[/\\]|^\.{1,2}$/.test(name) && Buffer.byteLength(name) <= mostNameBytes,
  'must be the name of a file, without a folder, of at most 255 bytes',
);

/** The body of `POST /entitlements/{id}/files`. All fields are optional. */
export const FileInput = z
  .strictObject({
    file_name: FileName.optional(),
    content_type: z
      .string()
      .regex(/^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/i, 'must be a content type such as application/pdf')
      .optional(),
    file_size: z.int().min(1).max(maxFileBytes).optional(),
    checksum_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 of 64 hexadecimal digits')
      .optional(),
  })
  .transform(
    (input): AnnouncedFile => ({
      name: input.file_name,
      contentType: input.content_type,
      size: input.file_size,
      sha256: input.checksum_sha256?.toLowerCase(),
    }),
  );

/** A new file, with the address for its upload. */
export const presentAddedFile = ({ file, upload }: AddedFile): EntitlementAnswer<'FileUpload'> => ({
  file_id: file.id,
  upload: { method: upload.method, url: upload.url, headers: upload.headers, expires_in: upload.seconds },
});

/** The address of a file for the merchant. */
export const presentFileAddress = (url: string): EntitlementAnswer<'FileAddress'> => ({
  url,
  expires_in: signedAddressSeconds,
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const uploadId = z.string().min(1).max(2_000);
const partNumber = z.int().min(1).max(10_000);

/** One part of an upload. For the first part, there is no upload id yet. */
export const FilePartInput = z.strictObject({
  fileId: z.string(),
  uploadId: uploadId.optional(),
  number: partNumber,
  size: z.int().min(1).max(maxFileBytes),
  sha256,
});

/** The end of an upload. It names all parts in order, as the bucket has confirmed them. */
export const FilePartsInput = z.strictObject({
  fileId: z.string(),
  uploadId,
  parts: z.array(z.strictObject({ number: partNumber, etag: z.string().min(1).max(200), sha256 })).max(10_000),
  replaces: z.string().max(100).optional(),
});

/** The new name of a file. */
export const FileNameInput = z.strictObject({ file_name: FileName });
