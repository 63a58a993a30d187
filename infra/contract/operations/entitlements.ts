import { EntitlementChangeInput, EntitlementInput } from '../../../shared/wire/entitlements/entitlement-input.ts';
import { EntitlementQuery } from '../../../shared/wire/entitlements/entitlement-query.ts';
import { FileInput } from '../../../shared/wire/entitlements/file-input.ts';
import { CodesInput, GrantKeyInput } from '../../../shared/wire/entitlements/grant-input.ts';
import { CustomerGrantQuery, GrantQuery } from '../../../shared/wire/entitlements/grant-query.ts';
import type { Operations } from '../operation.ts';

/** What purchases give to their buyers. */
export const entitlementOperations: Operations = {
  'entitlements/create-entitlement': {
    summary: 'Create an entitlement',
    description:
      'Creates something that products give to their buyers: files, licence keys, or a flag that your own software reads. Other types of the dialect are refused; your own code can give those when an `entitlement_grant.*` webhook arrives.',
    body: { EntitlementInput },
    answer: 'Entitlement',
    refuses: ['INVALID_REQUEST_PARAMETERS'],
  },
  'entitlements/list-entitlements': {
    summary: 'List entitlements',
    description:
      'Lists entitlements, newest first. Deleted ones are not listed, nor those that the older fields of a product make.',
    query: EntitlementQuery,
    answer: 'EntitlementPage',
  },
  'entitlements/get-entitlement': {
    summary: 'Get an entitlement',
    description: 'Answers an entitlement with its content.',
    answer: 'Entitlement',
  },
  'entitlements/update-entitlement': {
    summary: 'Update an entitlement',
    description:
      'Changes the named fields, also inside `integration_config`. Content is live: earlier buyers get it too. The type stays. Rules of `access` hold for later sales; grants keep theirs.',
    body: { EntitlementChangeInput },
    answer: 'Entitlement',
    refuses: ['NOT_FOUND', 'INVALID_REQUEST_PARAMETERS'],
  },
  'entitlements/delete-entitlement': {
    summary: 'Delete an entitlement',
    description: 'Ends an entitlement for later sales. Who has bought it keeps it.',
    answer: 'Nothing',
    refuses: ['NOT_FOUND'],
  },
  'entitlements/add-file': {
    summary: 'Add a file to an entitlement',
    description:
      'Adds a file, and answers an address for its bytes: send them with PUT and the answered `headers` within the hour. What is announced is checked: another size and other bytes are refused. A file cannot be sent twice. Buyers see it once its bytes have arrived, earlier buyers too; a file that has not arrived within a day is forgotten.',
    body: { FileInput },
    answer: 'FileUpload',
    refuses: ['NOT_FOUND', 'INVALID_REQUEST_PARAMETERS'],
  },
  'entitlements/get-file': {
    summary: 'Get the address of a file',
    description:
      'Answers an address that gives the bytes of a file to you, for a minute. Do not pass it on: buyers download files on the page of their order, which checks their right and notes it.',
    answer: 'FileAddress',
    refuses: ['NOT_FOUND', 'INVALID_REQUEST_PARAMETERS'],
  },
  'entitlements/remove-file': {
    summary: 'Remove a file from an entitlement',
    description: 'Takes a file away from all buyers, earlier ones too, and removes its bytes.',
    answer: 'Nothing',
    refuses: ['NOT_FOUND', 'INVALID_REQUEST_PARAMETERS'],
  },
  'entitlements/list-grants': {
    summary: 'List the grants of an entitlement',
    description: 'Lists who has the entitlement, newest first, also after it was deleted.',
    query: GrantQuery,
    answer: 'EntitlementGrantPage',
    refuses: ['NOT_FOUND'],
  },
  'entitlements/revoke-grant': {
    summary: 'Revoke a grant',
    description:
      'Ends a buyer’s access for good. A grant that is revoked already is answered as it is, and is not given back when its refund fails or its dispute is won.',
    answer: 'EntitlementGrant',
    refuses: ['NOT_FOUND'],
  },
  'entitlements/restore-grant': {
    summary: 'Restore a grant',
    description:
      'Gives back a grant that was revoked by hand: it is `Delivered` again, or `Pending` if it never had its key. Refused while its payment gives no access. What a refund or dispute has revoked comes back by itself.',
    answer: 'EntitlementGrant',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  'entitlements/import-codes': {
    summary: 'Add codes to a pool',
    description:
      'Adds codes to the pool of an entitlement with `pool`, such as codes of a game store. Each unit that is sold gets one, and no code is given twice. Sales that wait get them first. Codes that the pool has or had are left out.',
    body: { CodesInput },
    answer: 'ImportedCodes',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  'grants/fulfill-license-key': {
    summary: 'Deliver a licence key to a grant',
    description:
      'Gives a grant that waits its licence key: of an entitlement with `fulfillment_mode` `manual`. Refused once the grant has a key, is revoked, or its line is refunded or disputed.',
    body: { GrantKeyInput },
    answer: 'EntitlementGrant',
    refuses: ['NOT_FOUND', 'CONFLICT', 'LICENSE_KEY_ALREADY_EXISTS'],
  },
  'customers/list-customer-entitlements': {
    summary: 'List what a customer has',
    description: 'Answers the newest grants of a customer, at most 100, with their states in small letters.',
    answer: 'CustomerEntitlements',
  },
  'customers/list-entitlement-grants': {
    summary: 'List the grants of a customer',
    description: 'Lists the grants of a customer, newest first.',
    query: CustomerGrantQuery,
    answer: 'EntitlementGrantPage',
  },
};
