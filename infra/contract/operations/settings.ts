import { ApiKeyInput, RevocationQuery } from '../../../shared/wire/access/api-key.ts';
import { AuditLogQuery } from '../../../shared/wire/access/audit.ts';
import { OverrideInput, RegistrationChange, RegistrationInput } from '../../../shared/wire/tax/tax-rules.ts';
import type { Operations } from '../operation.ts';

/** Keys, the audit log, and the merchant's own tax rules. */
export const settingOperations: Operations = {
  'api-keys/create-api-key': {
    summary: 'Create an API key',
    description:
      'Creates a key. It is in the first answer only: a repetition under the same Idempotency-Key answers its record with `key` null. A key can grant no more than it has, and for no longer than it lasts.',
    body: { ApiKeyInput },
    answer: 'NewApiKey',
    refuses: ['INVALID_REQUEST_PARAMETERS'],
  },
  'api-keys/list-api-keys': {
    summary: 'List API keys',
    description: 'Lists all keys, revoked ones too. No answer has the key itself.',
    answer: 'ApiKeyList',
  },
  'api-keys/revoke-api-key': {
    summary: 'Revoke an API key',
    description: 'Revokes a key at once. With `descendants=true`, the keys that it made are revoked as well.',
    query: RevocationQuery,
    answer: 'Nothing',
  },
  'audit-log/list-audit-log': {
    summary: 'List the audit log',
    description: 'Lists commands on money, keys and settings, newest first, with the key that gave them.',
    query: AuditLogQuery,
    answer: 'AuditLogPage',
  },
  'tax/list-tax-registrations': {
    summary: 'List tax registrations',
    description: 'Lists where the merchant is registered for tax.',
    answer: 'TaxRegistrationList',
  },
  'tax/create-tax-registration': {
    summary: 'Create a tax registration',
    description: 'Says from when the merchant collects tax in a place. It counts for sales from that day on.',
    body: { RegistrationInput },
    answer: 'TaxRegistration',
    refuses: ['UNSUPPORTED_COUNTRY', 'INVALID_TAX_ID', 'INVALID_REQUEST_PARAMETERS'],
  },
  'tax/update-tax-registration': {
    summary: 'Update a tax registration',
    description:
      'Changes the named fields. The place stays. `null` clears a field. A registration that has begun cannot begin later.',
    body: { RegistrationChange },
    answer: 'TaxRegistration',
    refuses: ['INVALID_TAX_ID', 'INVALID_REQUEST_PARAMETERS', 'CONFLICT'],
  },
  'tax/delete-tax-registration': {
    summary: 'Delete a tax registration',
    description:
      'Removes a registration that has not begun. One that has begun can only end, by `expires_at`, because sales are declared under it.',
    answer: 'Nothing',
    refuses: ['CONFLICT'],
  },
  'tax/list-tax-overrides': {
    summary: 'List tax overrides',
    description: 'Lists the merchant’s own rates and exemptions.',
    answer: 'TaxOverrideList',
  },
  'tax/create-tax-override': {
    summary: 'Create a tax override',
    description:
      'Replaces or adds to the rates of a place and category from a day on. With `customer_id` and `certificate`, it exempts one customer.',
    body: { OverrideInput },
    answer: 'TaxOverride',
    refuses: ['UNSUPPORTED_COUNTRY', 'INVALID_REQUEST_PARAMETERS'],
  },
  'tax/delete-tax-override': {
    summary: 'Delete a tax override',
    description: 'Removes an override. Payments keep the tax that they were charged.',
    answer: 'Nothing',
  },
};
