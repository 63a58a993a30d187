import * as z from 'zod';
import { validityUnits } from '../../domain/entitlements/entitlement.ts';
import { grantStatuses } from '../../domain/entitlements/grant.ts';
import { keyStatuses } from '../../domain/entitlements/license-key.ts';
import { entitlementTypes } from '../../domain/entitlements/line-entitlement.ts';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, instantText, link, pageOf, upTo } from '../answers/values.ts';
import { grantConstants } from '../constants.ts';

/** A file in an answer. */
export const DeliveredFile = z.strictObject({
  download_url: link.describe(
    'In grants for keys that may write, and in webhooks: a page with a button that gives the file to its buyer. Elsewhere: where a key that may write gets the address of its bytes.',
  ),
  expires_in: count.describe(
    'For how many seconds `download_url` works at least. An address that needs a key does not end.',
  ),
  file_id: upTo(100).describe('The id of the file.'),
  filename: upTo(255).describe('The name under which the file is saved.'),
  content_type: upTo(255).nullable().describe('Its content type; null if none was announced.'),
  file_size: count.nullable().describe('Its size in bytes; null while it is not known.'),
});

const DeliveredFiles = z.strictObject({
  files: z.array(DeliveredFile).max(1_000).describe('The files, in the order of the buyer’s page.'),
  external_url: link.nullable().describe('An address that is shown beside the files. Null: none.'),
  instructions: upTo(1_000).nullable().describe('A text that is shown beside the files. Null: none.'),
  downloads_limit: count.nullable().describe('How often a buyer can download each file; null: without limit.'),
});

const FilesConfig = z.strictObject({
  digital_files: DeliveredFiles.describe('What the buyer can download and open.'),
});

const LicenseKeyConfig = z.strictObject({
  activation_message: upTo(2_500).nullable().describe('The text that the buyer reads beside the key. Null: none.'),
  activations_limit: count
    .nullable()
    .describe('On how many devices a key can be active; null: no limit but the general one of 10,000.'),
  duration_count: count
    .nullable()
    .describe('How many `duration_interval` a key is valid after its purchase; null: without end.'),
  duration_interval: z.enum(validityUnits).nullable().describe('The unit of `duration_count`.'),
  fulfillment_mode: z
    .enum(['auto', 'manual'])
    .describe(
      '`auto` makes keys at the sale. With `manual`, grants wait for `POST /grants/{id}/license-key`, or take codes from the pool.',
    ),
  pool: z
    .boolean()
    .describe('Whether the keys are codes that you import, such as those of a game store. Only they can check them.'),
});

const FeatureConfig = z.strictObject({
  feature_id: upTo(200).describe('Your own name for what the purchase unlocks.'),
  feature_type: z.literal('boolean').describe('Always `boolean`.'),
});

const Access = z.strictObject({
  full_refund_revokes: z.boolean().describe('Whether the full refund of a line ends its grants. Default: true.'),
  chargeback_suspends: z
    .boolean()
    .describe('Whether grants give nothing while a chargeback is open. An inquiry suspends nothing. Default: true.'),
  lost_dispute_revokes: z.boolean().describe('Whether a lost dispute ends the grants. Default: true.'),
});

const EntitlementConfig = z.union([FilesConfig, LicenseKeyConfig, FeatureConfig]);
const config = EntitlementConfig.describe('What it gives, in the fields of its `integration_type`.');

const type = z.enum(entitlementTypes).describe('What it gives: `digital_files`, `license_key` or `feature_flag`.');

const Entitlement = z.strictObject({
  id: answeredId('ent').describe('The id of the entitlement.'),
  business_id: common.business_id,
  name: common.name,
  description: upTo(1_000).nullable().describe('A text for people. Null: none.'),
  integration_type: type,
  integration_config: config,
  access: Access.describe('What ends the access of those who bought it.'),
  is_active: z.literal(true).describe('Always true: deleted entitlements are not answered.'),
  metadata: common.metadata,
  created_at: common.created_at,
  updated_at: common.updated_at,
});

/** An entitlement in the answer about a product. */
export const EntitlementSummary = z.strictObject({
  id: answeredId('ent').describe('The id of the entitlement.'),
  name: common.name,
  description: upTo(1_000).nullable().describe('A text for people. Null: none.'),
  integration_type: type,
  integration_config: config,
});

const FileUpload = z.strictObject({
  file_id: answeredId('fil').describe('The id of the file.'),
  upload: z
    .strictObject({
      method: z.literal('PUT').describe('The method of the upload.'),
      url: z.string().meta({ format: 'uri', maxLength: 4_096 }).describe('Where the bytes are sent, once.'),
      headers: z
        .strictObject({
          'if-none-match': z.literal('*').describe('Lets no upload replace a file that is there.'),
          'x-amz-checksum-sha256': upTo(44).optional().describe('The announced SHA-256, in base64.'),
        })
        .describe('Send exactly these headers with the bytes. Every client adds `content-length` by itself.'),
      expires_in: count.describe('Within how many seconds the upload must begin.'),
    })
    .describe('How the bytes are sent. Buyers see the file once they have arrived as announced.'),
});

const Key = z.strictObject({
  id: answeredId('lic').describe('The id of the licence key.'),
  key: upTo(255).describe('The key. Keys of the API that only read see its last signs.'),
  status: z.enum(keyStatuses).describe('Whether it works: `disabled` also while its grant gives nothing.'),
  activations_used: count.describe('On how many devices it is active.'),
  activations_limit: count.nullable().describe('On how many devices it can be active; null: without limit.'),
  expires_at: common.expires_at,
});

const moments = {
  delivered_at: instantText.nullable().describe('When it was first delivered; null while it waits.'),
  revoked_at: instantText.nullable().describe('When it was revoked; null if it is not.'),
};

const EntitlementGrant = z.strictObject({
  id: answeredId('entg').describe('The id of the grant. It follows from the payment.'),
  business_id: common.business_id,
  brand_id: common.brand_id,
  entitlement_id: answeredId('ent').describe('The id of the entitlement.'),
  integration_type: type,
  customer_id: common.customer_id,
  payment_id: common.payment_id,
  product_id: common.product_id,
  status: z
    .enum(['Pending', 'Delivered', 'Failed', 'Revoked'])
    .describe('Where the grant stands. One that a dispute suspends stays `Delivered`.'),
  ...moments,
  revocation_reason: upTo(1_000)
    .nullable()
    .describe('Why it was revoked: `refund`, `dispute`, `merchant`, or a reason in words. Null if it is not.'),
  error_code: upTo(100).nullable().describe('Why it could not be delivered; null unless it failed.'),
  error_message: upTo(1_000).nullable().describe('The same in words; null unless it failed.'),
  digital_product_delivery: DeliveredFiles.nullable().describe(
    'What the buyer can download and open, while it is delivered. Null for other types.',
  ),
  feature: FeatureConfig.nullable().describe('The flag; null for other types.'),
  license_key: Key.nullable().describe('The licence key; null before there is one, and for other types.'),
  ...always(grantConstants, { subscription_id: 'there are no subscriptions' }),
  created_at: common.created_at,
  updated_at: common.updated_at,
});

const CustomerEntitlements = z.strictObject({
  items: z
    .array(
      z.strictObject({
        grant_id: answeredId('entg').describe('The id of the grant.'),
        entitlement_id: answeredId('ent').describe('The id of the entitlement.'),
        entitlement_name: common.name,
        entitlement_description: upTo(1_000).nullable().describe('A text for people. Null: none.'),
        integration_type: type,
        status: z.enum(grantStatuses).describe('Where the grant stands, in small letters.'),
        ...moments,
        created_at: common.created_at,
        updated_at: common.updated_at,
      }),
    )
    .max(100)
    .describe('The grants, newest first, at most 100.'),
});

const FileAddress = z.strictObject({
  url: z.string().meta({ format: 'uri', maxLength: 4_096 }).describe('Where the bytes are.'),
  expires_in: count.describe('Within how many seconds the download must begin.'),
});

/** The answers of the entitlement routes, by their names in the contract. */
export const entitlementAnswers = {
  DeliveredFile,
  DeliveredFiles,
  EntitlementConfig,
  EntitlementSummary,
  Entitlement,
  EntitlementPage: pageOf(Entitlement),
  FileUpload,
  FileAddress,
  EntitlementGrant,
  EntitlementGrantPage: pageOf(EntitlementGrant),
  CustomerEntitlements,
  ImportedCodes: z.strictObject({
    added: count.describe('How many codes are new in the pool.'),
    repeated: count.describe('How many codes the pool already had, now or before.'),
    free: count.describe('How many codes nobody has.'),
    waiting: count.describe('How many sales still wait for a code.'),
  }),
} as const;
export type EntitlementAnswer<Name extends keyof typeof entitlementAnswers> = z.input<
  (typeof entitlementAnswers)[Name]
>;
