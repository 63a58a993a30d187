import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { images } from '../../shared/image-runtime.ts';
import { cleanImage } from '../../shared/images/clean-image.ts';
import * as runtime from '../../shared/runtime.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { updateProduct } from '../../shared/use-cases/catalogue/update-product.ts';
import { ProductChangeInput, presentProduct } from '../../shared/wire/catalogue/product.ts';

const stores = { products: runtime.products(), brands: runtime.brands(), images: images() };
const site = { publicUrl: env.publicUrl(), primaryBrandId: runtime.primaryBrandId() };
const shape = { body: ProductChangeInput, present: presentProduct(runtime.site()) };
const rowsOf = (id: string, brandId?: string): RowKey[] => [keys.product(id), ...(brandId ? [keys.brands()] : [])];

/** PATCH /products/{id} */
export const handler = endpoint(
  { ...shape, access: 'write', idempotent: true, needs: ({ param, body }) => rowsOf(param('id'), body.brandId) },
  ({ param, body, claim }) =>
    updateProduct({ ...stores, ...site, cleanImage, now: runtime.now }, param('id'), body, claim),
);
