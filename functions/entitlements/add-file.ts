import { keys } from '../../shared/store/keys.ts';
import { addFile } from '../../shared/use-cases/entitlements/entitlement-files.ts';
import { FileInput, presentAddedFile } from '../../shared/wire/entitlements/file-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { entitlements, newId, now } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), files: buyerFiles(), newId, now };

/** POST /entitlements/{id}/files */
export const handler = endpoint(
  {
    body: FileInput,
    mayBeEmpty: true,
    present: presentAddedFile,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.entitlement(param('id'))],
  },
  ({ param, body, claim }) => addFile(deps, param('id'), body, claim),
);
