import * as z from 'zod';
import { keySources, keyStatuses, keyStatusOf, type LicenseKey } from '../../domain/entitlements/license-key.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';
import { says } from '../says.ts';
import { keyOrCode, text } from '../text/texts.ts';
import { idOf } from '../values.ts';

/** The text of a key, as a person or program entered it. It is compared with the stored keys, and never shown. */
const enteredKey = z.string().min(1).max(255);

const instant = z.iso
  .datetime({ offset: true, ...says(sentences.date_time) })
  .transform((value) => new Date(value).toISOString());

const activationsLimit = z.int().min(1).max(1_000_000);

/** The body of `POST /licenses/activate`. */
export const ActivateInput = z
  .strictObject({ license_key: enteredKey, name: text(1, 100) })
  .transform(({ license_key: licenseKey, name }) => ({ licenseKey, name }));

/** The body of `POST /licenses/deactivate`. */
export const DeactivateInput = z
  .strictObject({ license_key: enteredKey, license_key_instance_id: idOf('lki') })
  .transform((input) => ({ licenseKey: input.license_key, activationId: input.license_key_instance_id }));

/** The body of `POST /licenses/validate`. */
export const ValidateInput = z
  .strictObject({ license_key: enteredKey, license_key_instance_id: z.string().max(100).nullish() })
  .transform((input) => ({ licenseKey: input.license_key, activationId: input.license_key_instance_id ?? null }));

/** The body of `POST /license_keys`: a key from an earlier system, for a customer. */
export const LicenseKeyInput = z
  .strictObject({
    customer_id: idOf('cus'),
    product_id: idOf('pdt'),
    key: keyOrCode(1, 255),
    activations_limit: activationsLimit.nullish(),
    expires_at: instant.nullish(),
  })
  .transform((input) => ({
    customerId: input.customer_id,
    productId: input.product_id,
    key: input.key,
    activationsLimit: input.activations_limit ?? null,
    expiresAt: input.expires_at ?? null,
  }));

/** The body of `PATCH /license_keys/{id}`. `null` removes the limit or the expiry. */
export const LicenseKeyChangeInput = z
  .strictObject({
    activations_limit: activationsLimit.nullish(),
    expires_at: instant.nullish(),
    disabled: z.boolean().nullish(),
  })
  .transform((input) => ({
    activationsLimit: input.activations_limit,
    expiresAt: input.expires_at,
    isDisabled: input.disabled ?? undefined,
  }));

/** The body of `POST /license_keys/{id}/reissue`. */
export const ReissueInput = z
  .strictObject({ key: keyOrCode(1, 255).nullish() })
  .transform((input) => ({ key: input.key ?? null }));

/** The body of `PATCH /license_key_instances/{id}`. */
export const InstanceChangeInput = z.strictObject({ name: text(1, 100) });

export const LicenseKeyQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    customer_id: idOf('cus').optional(),
    product_id: idOf('pdt').optional(),
    source: z.enum(keySources).optional(),
    status: z.enum(keyStatuses).optional(),
  }),
);

/**
 * Whether a key can match a filter, judged by its own row. Its sale can change the state only to disabled. So keys with
 * another wrong state are left out early, and for the others the sale is read.
 */
export const matchesLicenseKey =
  ({ product_id: productId, source, status }: z.output<typeof LicenseKeyQuery>, now: string) =>
  (key: LicenseKey): boolean =>
    (!productId || key.productId === productId) &&
    (!source || key.source === source) &&
    (!status || status === 'disabled' || keyStatusOf(key, { hasAccess: true, now }) === status);

/** The filters that make a search for keys smaller. */
export const licenseKeyTerms: ListTerms = { narrowedBy: ['created_at_gte', 'created_at_lte', 'customer_id'] };

export const InstanceQuery = onePaging(
  z.strictObject({ ...pageFields, license_key_id: idOf('lic').optional(), grant_id: idOf('entg').optional() }),
);
