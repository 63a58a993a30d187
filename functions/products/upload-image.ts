import { keys } from '../../shared/store/keys.ts';
import { presentUpload, UploadQuery } from '../../shared/wire/catalogue/upload.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { images } from '../../shared/wiring/images.ts';
import { products, world } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), images: images() };

/**
 * PUT /products/{id}/images: returns a signed upload address. A repeated call gets another address, because the call
 * itself changes nothing.
 */
export const handler = endpoint(
  { access: 'write', query: UploadQuery, needs: ({ param }) => [keys.product(param('id'))], present: presentUpload },
  async ({ param, query }) => {
    const { id: ownerId } = await deps.products.get(param('id'));
    const imageId = world.newUuid();
    return { imageId, url: await deps.images.signUpload({ ownerId, imageId }, query.content_length) };
  },
);
