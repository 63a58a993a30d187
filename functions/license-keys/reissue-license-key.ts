import { newKeyComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { keys } from '../../shared/store/keys.ts';
import { reissueKey } from '../../shared/use-cases/entitlements/reissue-key.ts';
import { presentLicenseKey } from '../../shared/wire/entitlements/license.ts';
import { ReissueInput } from '../../shared/wire/entitlements/license-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { newKeys } from '../../shared/wiring/new-keys.ts';
import { site } from '../../shared/wiring/runtime.ts';

const from = env.merchant().receipts?.from;
const deps = newKeys(newKeyComposer({ isSandbox: env.stage() === 'sandbox', from }));

/** POST /license_keys/{id}/reissue */
export const handler = endpoint(
  {
    body: ReissueInput,
    mayBeEmpty: true,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.licenseKey(param('id'))],
    present: presentLicenseKey(site()),
  },
  ({ param, body, claim }) => reissueKey(deps, { id: param('id'), key: body.key }, claim),
);
