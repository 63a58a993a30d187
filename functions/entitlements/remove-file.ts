import { keys } from '../../shared/store/keys.ts';
import { removeFile } from '../../shared/use-cases/entitlements/entitlement-files.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { entitlements, now } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), files: buyerFiles(), now };

/** DELETE /entitlements/{id}/files/{file_id} */
export const handler = endpoint(
  { access: 'write', idempotent: true, needs: ({ param }) => [keys.entitlement(param('id'))], present: () => ({}) },
  ({ param, claim }) => removeFile(deps, { entitlementId: param('id'), fileId: param('file_id') }, claim),
);
