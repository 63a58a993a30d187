import * as z from 'zod';
import { maxEntitlements, validityUnits } from '../../domain/entitlements/entitlement.ts';
import type { ConfigFields } from '../../domain/entitlements/entitlement-config.ts';
import { maxAmount } from '../../domain/money/money.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { prose } from '../text/texts.ts';
import { defined, idOf } from '../values.ts';

/** What a product gives: entitlements, or the older fields of a licence key. */
export const givenFields = {
  entitlements: z
    .array(z.strictObject({ entitlement_id: idOf('ent') }))
    .max(maxEntitlements, says(sentences.too_many, { most: maxEntitlements, entries: 'entitlements' }))
    .nullish(),
  license_key_enabled: z.boolean().nullish(),
  license_key_activation_message: prose(1, 2_500).nullish(),
  license_key_activations_limit: z.int().min(1).max(maxAmount).nullish(),
  license_key_duration: z.strictObject({ count: z.int().min(1).max(1_000), interval: z.enum(validityUnits) }).nullish(),
};

/** What a request says about the entitlements of a product. */
export interface Given {
  entitlements?: string[];
  ownKey?: { isEnabled?: boolean | undefined; config: ConfigFields };
}

type GivenInput = Partial<z.output<z.ZodObject<typeof givenFields>>>;

/** `null` says nothing about entitlements. Beside an enabled key, it clears what limits the key. */
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
  };
}
