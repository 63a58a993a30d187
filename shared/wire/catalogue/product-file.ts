import * as z from 'zod';
import type { EntitlementFile } from '../../domain/entitlements/entitlement.ts';
import { FileName } from '../entitlements/file-input.ts';
import type { CatalogueAnswer } from './product-answer.ts';

/** The body of `PUT /products/{id}/files`. */
export const ProductFileInput = z.strictObject({ file_name: FileName });

/** A new file of a product, and the address for the upload by PUT. */
export const presentProductFile = ({
  file,
  url,
}: {
  file: Pick<EntitlementFile, 'id'>;
  url: string;
}): CatalogueAnswer<'ProductFile'> => ({ file_id: file.id, url });
