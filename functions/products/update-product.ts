import { primaryBrandIdOf } from '../../shared/domain/ids.ts';
import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { images } from '../../shared/image-runtime.ts';
import { cleanImage } from '../../shared/images/clean-image.ts';
import { brands, now, products, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { updateProduct } from '../../shared/use-cases/catalogue/update-product.ts';
import { ProductChangeInput, presentProduct } from '../../shared/wire/catalogue/product.ts';

const deps = {
  products: products(),
  brands: brands(),
  primaryBrandId: primaryBrandIdOf(env.merchant().id),
  images: images(),
  cleanImage,
  publicUrl: env.publicUrl(),
  now,
};

/** PATCH /products/{id} */
export const handler = endpoint(
  {
    access: 'write',
    body: ProductChangeInput,
    idempotent: true,
    needs: ({ param, body }) => [keys.product(param('id')), ...(body.brandId ? [keys.brands()] : [])],
    present: presentProduct(site()),
  },
  ({ param, body, claim }) => updateProduct(deps, param('id'), body, claim),
);
