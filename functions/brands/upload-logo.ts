import { findBrand } from '../../shared/domain/catalogue/brand.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentUpload, UploadQuery } from '../../shared/wire/catalogue/upload.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { images } from '../../shared/wiring/images.ts';
import { brands, world } from '../../shared/wiring/runtime.ts';

const deps = { brands: brands(), images: images() };

/** PUT /brands/{id}/images */
export const handler = endpoint(
  { access: 'write', query: UploadQuery, needs: () => [keys.brands()], present: presentUpload },
  async ({ param, query }) => {
    const { id: ownerId } = findBrand(await deps.brands.get(), param('id'));
    const imageId = world.newUuid();
    return { imageId, url: await deps.images.signUpload({ ownerId, imageId }, query.content_length) };
  },
);
