import {
  ActivateInput,
  DeactivateInput,
  InstanceChangeInput,
  InstanceQuery,
  LicenseKeyChangeInput,
  LicenseKeyInput,
  LicenseKeyQuery,
  ReissueInput,
  ValidateInput,
} from '../../../shared/wire/entitlements/license-input.ts';
import type { Operations } from '../operation.ts';

/** The operations on licence keys: those for programs on buyers' machines, and those for the merchant. */
export const licenseOperations: Operations = {
  'licenses/activate-license': {
    summary: 'Activate a licence key',
    description:
      'Activates a key on a device. Programs call it without an API key, from any origin; a key that is sent is ignored. The answer does not tell who bought the key. Send an `Idempotency-Key`, so that a repetition does not use the limit twice.',
    body: { ActivateInput },
    answer: 'LicenseActivation',
    refuses: [
      'INACTIVE_LICENSE_KEY',
      'LICENSE_KEY_LIMIT_REACHED',
      'LICENSE_KEY_NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
      'TOO_MANY_REQUESTS',
    ],
  },
  'licenses/deactivate-license': {
    summary: 'Deactivate a licence key',
    description:
      'Ends an activation and gives it back to the limit. A repetition changes nothing. Programs call it without an API key.',
    body: { DeactivateInput },
    answer: 'Nothing',
    refuses: ['LICENSE_KEY_NOT_FOUND', 'LICENSE_KEY_INSTANCE_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  },
  'licenses/validate-license': {
    summary: 'Validate a licence key',
    description:
      'Answers whether a key may be used now, and with an instance, whether it is active on that device. A key is not valid while its sale gives no access: after a refund, or while the bank disputes the payment. Programs call it without an API key. A network that sends a hundred unknown keys in an hour is refused for the rest of the hour.',
    body: { ValidateInput },
    answer: 'LicenseValidity',
    refuses: ['TOO_MANY_REQUESTS'],
  },
  'license-keys/create-license-key': {
    summary: 'Import a licence key',
    description:
      'Imports a key of an earlier system for a customer. Nobody is mailed. An imported key is found exactly as it is; one with fewer than 16 characters can be guessed.',
    body: { LicenseKeyInput },
    answer: 'LicenseKey',
    refuses: ['NOT_FOUND', 'LICENSE_KEY_ALREADY_EXISTS'],
  },
  'license-keys/list-license-keys': {
    summary: 'List licence keys',
    description: 'Lists keys, newest first. API keys that only read see the last signs of each.',
    query: LicenseKeyQuery,
    answer: 'LicenseKeyPage',
  },
  'license-keys/get-license-key': {
    summary: 'Get a licence key',
    description: 'Answers a key with its state at this moment.',
    answer: 'LicenseKey',
  },
  'license-keys/update-license-key': {
    summary: 'Update a licence key',
    description:
      'Changes the limit, the expiry, or whether the key is disabled. `null` removes the limit or the expiry. A lower limit ends no activation.',
    body: { LicenseKeyChangeInput },
    answer: 'LicenseKey',
  },
  'license-keys/reissue-license-key': {
    summary: 'Reissue a licence key',
    description:
      'Gives a sale a new key with the same limit and expiry. The old key and its instances end with it. A pool gives another code. The buyer gets a mail that leads to the order page. `license_key.created` and `entitlement_grant.delivered` tell of the new key. Refused if the key is replaced already, or its sale gives no access now.',
    body: { ReissueInput },
    answer: 'LicenseKey',
    refuses: ['NOT_FOUND', 'CONFLICT', 'LICENSE_KEY_ALREADY_EXISTS'],
  },
  'license-key-instances/list-license-key-instances': {
    summary: 'List licence key instances',
    description: 'Lists the devices on which keys are active, newest first.',
    query: InstanceQuery,
    answer: 'LicenseKeyInstancePage',
  },
  'license-key-instances/get-license-key-instance': {
    summary: 'Get a licence key instance',
    description: 'Answers a device on which a key is active.',
    answer: 'LicenseKeyInstance',
  },
  'license-key-instances/update-license-key-instance': {
    summary: 'Rename a licence key instance',
    description: 'Changes the name of a device.',
    body: { InstanceChangeInput },
    answer: 'LicenseKeyInstance',
  },
};
