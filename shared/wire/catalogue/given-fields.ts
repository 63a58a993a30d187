import * as z from 'zod';
import { maxEntitlements, validityUnits } from '../../domain/entitlements/entitlement.ts';
import type { ConfigFields } from '../../domain/entitlements/entitlement-config.ts';
import { maxFiles, type OwnFiles } from '../../domain/entitlements/files.ts';
import { maxAmount } from '../../domain/money/money.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { prose } from '../text/texts.ts';
import { defined, idOf } from '../values.ts';
import { webAddress } from './offer-fields.ts';

/**
 * The older field for the delivery of a product. `null` clears the address or the text. For the files, `null` changes
 * nothing.
 */
const DeliveryInput = z
  .strictObject({
    external_url: webAddress.nullish(),
    instructions: prose(1, 1_000).nullish(),
    files: z.array(z.string().max(100)).max(maxFiles).nullish(),
  })
  .transform(
    ({ external_url: url, instructions, files }): OwnFiles =>
      defined({ url, instructions, fileIds: files ?? undefined }),
  );

/** The fields that say what a product gives: entitlements, or the older fields of a licence key and a delivery. */
export const givenFields = {
  entitlements: z
    .array(z.strictObject({ entitlement_id: idOf('ent') }))
    .max(maxEntitlements, says(sentences.too_many, { most: maxEntitlements, entries: 'entitlements' }))
    .nullish(),
  digital_product_delivery: DeliveryInput.nullish(),
  license_key_enabled: z.boolean().nullish(),
  license_key_activation_message: prose(1, 2_500).nullish(),
  license_key_activations_limit: z.int().min(1).max(maxAmount).nullish(),
  license_key_duration: z.strictObject({ count: z.int().min(1).max(1_000), interval: z.enum(validityUnits) }).nullish(),
};

/** What a request says about the entitlements of a product. */
export interface Given {
  entitlements?: string[];
  ownKey?: { isEnabled?: boolean | undefined; config: ConfigFields };
  ownFiles?: OwnFiles | null;
}

type GivenInput = Partial<z.output<z.ZodObject<typeof givenFields>>>;

/**
 * Reads these fields from a request. `null` changes nothing for entitlements, and ends a delivery. If the key is
 * enabled, `null` removes its limits.
 */
export function givenOf(input: GivenInput): Given {
  const { license_key_enabled: isEnabled, license_key_duration: duration } = input;
  const config = defined({
    activationMessage: input.license_key_activation_message,
    activationsLimit: input.license_key_activations_limit,
    validityCount: duration === null ? null : duration?.count,
    validityUnit: duration === null ? null : duration?.interval,
  });
  const says = isEnabled !== undefined && isEnabled !== null;
  return {
    ...(input.entitlements && { entitlements: input.entitlements.map(({ entitlement_id: id }) => id) }),
    ...((says || Object.keys(config).length > 0) && {
      ownKey: { ...(says && { isEnabled }), config },
    }),
    ...(input.digital_product_delivery !== undefined && { ownFiles: input.digital_product_delivery }),
  };
}
