import { keys } from '../../shared/store/keys.ts';
import { type ImportedCodes, importCodes } from '../../shared/use-cases/entitlements/import-codes.ts';
import { CodesInput } from '../../shared/wire/entitlements/grant-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import {
  codePools,
  entitlements,
  grants,
  licenseKeys,
  newBytes,
  newId,
  now,
  payments,
} from '../../shared/wiring/runtime.ts';

const deps = {
  entitlements: entitlements(),
  pool: codePools(),
  grants: grants(),
  licenseKeys: licenseKeys(),
  payments: payments(),
  now,
  newId,
  newBytes,
};

/** POST /entitlements/{id}/codes */
export const handler = endpoint(
  {
    body: CodesInput,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.entitlement(param('id')), keys.pool(param('id'))],
    present: (imported: ImportedCodes) => imported,
  },
  ({ param, body, claim }) => importCodes(deps, param('id'), body, claim),
);
