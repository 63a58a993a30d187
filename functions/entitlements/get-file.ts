import { keys } from '../../shared/store/keys.ts';
import { addressOfFile } from '../../shared/use-cases/entitlements/entitlement-files.ts';
import { presentFileAddress } from '../../shared/wire/entitlements/file-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { entitlements } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), files: buyerFiles() };

/** GET /entitlements/{id}/files/{file_id} */
export const handler = endpoint(
  { access: 'write', needs: ({ param }) => [keys.entitlement(param('id'))], present: presentFileAddress },
  ({ param }) => addressOfFile(deps, { entitlementId: param('id'), fileId: param('file_id') }),
);
