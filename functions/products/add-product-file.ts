import { productEntitlementIdOf } from '../../shared/domain/ids.ts';
import { keys } from '../../shared/store/keys.ts';
import { addProductFile } from '../../shared/use-cases/catalogue/add-product-file.ts';
import { ProductFileInput, presentProductFile } from '../../shared/wire/catalogue/product-file.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { entitlements, newId, now, products } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), entitlements: entitlements(), files: buyerFiles(), newId, now };

/** PUT /products/{id}/files */
export const handler = endpoint(
  {
    body: ProductFileInput,
    present: presentProductFile,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [
      keys.product(param('id')),
      keys.entitlement(productEntitlementIdOf(param('id'), 'digital_files')),
    ],
  },
  ({ param, body, claim }) => addProductFile(deps, param('id'), body.file_name, claim),
);
