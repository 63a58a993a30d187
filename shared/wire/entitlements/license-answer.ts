import * as z from 'zod';
import { keySources, keyStatuses } from '../../domain/entitlements/license-key.ts';
import { always } from '../answers/always.ts';
import { Payer } from '../answers/buyer.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, pageOf, upTo } from '../answers/values.ts';
import { licenseKeyConstants } from '../constants.ts';

const License = z.strictObject({
  id: answeredId('lic').describe('The id of the licence key.'),
  business_id: common.business_id,
  brand_id: common.brand_id,
  product_id: common.product_id,
  customer_id: common.customer_id,
  payment_id: common.payment_id.nullable().describe('The payment that gave it; null for a key that was imported.'),
  key: upTo(255).describe('The key. A key of the API that only reads sees its last signs.'),
  source: z
    .enum(keySources)
    .describe('`auto`: made by us. `import`: imported. `manual`: set by the merchant for a grant.'),
  status: z
    .enum(keyStatuses)
    .describe('`disabled` by the merchant or because its sale gives no access any more, `expired`, or `active`.'),
  activations_limit: count
    .nullable()
    .describe('On how many devices it can be active; null: no limit but the general one of 10,000.'),
  instances_count: count.describe('On how many devices it is active.'),
  expires_at: common.expires_at,
  created_at: common.created_at,
  ...always(licenseKeyConstants, { subscription_id: 'there are no subscriptions' }),
});

const Instance = z.strictObject({
  id: answeredId('lki').describe('The id of the instance: a device on which the key is active.'),
  business_id: common.business_id,
  license_key_id: License.shape.id,
  name: upTo(100).describe('The name that the program gave the device.'),
  created_at: common.created_at,
});

const Activated = z.strictObject({
  ...Instance.shape,
  customer: Payer.extend({
    email: upTo(254).describe('The address of the buyer, masked: whoever has the key may call this.'),
    name: z.literal('').describe('Always empty: whoever has the key may call this.'),
  }).describe('Who bought the key, without personal data.'),
  product: z
    .strictObject({
      product_id: common.product_id,
      name: upTo(100).nullable().describe('The name of the product.'),
    })
    .describe('The product that the key unlocks.'),
});

/** The answers of the routes of licence keys, by their names in the contract. */
export const licenseAnswers = {
  LicenseKey: License,
  LicenseKeyPage: pageOf(License),
  LicenseKeyInstance: Instance,
  LicenseKeyInstancePage: pageOf(Instance),
  LicenseActivation: Activated,
  LicenseValidity: z.strictObject({ valid: z.boolean().describe('Whether the key may be used now.') }),
} as const;
export type LicenseAnswer<Name extends keyof typeof licenseAnswers> = z.input<(typeof licenseAnswers)[Name]>;
