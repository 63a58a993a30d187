import * as z from 'zod';
import { type AccessRules, usualAccessRules, validityUnits } from '../../domain/entitlements/entitlement.ts';
import type { ConfigFields } from '../../domain/entitlements/entitlement-config.ts';
import { maxFiles } from '../../domain/entitlements/files.ts';
import { type EntitlementType, entitlementTypes } from '../../domain/entitlements/line-entitlement.ts';
import { maxAmount } from '../../domain/money/money.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { webAddress } from '../catalogue/offer-fields.ts';
import { MetadataMap } from '../metadata.ts';
import { keepRule, says } from '../says.ts';
import { prose, text } from '../text/texts.ts';
import { defined } from '../values.ts';
import { FileName } from './file-input.ts';

const IntegrationType = z
  .string()
  .refine((type) => (entitlementTypes as readonly string[]).includes(type), {
    error: (issue) => {
      const values = { type: String(issue.input).slice(0, 40), options: entitlementTypes.join(', ') };
      return keepRule(issue, brokenRule(sentences.entitlement_type, values));
    },
    params: { code: 'INVALID_REQUEST_PARAMETERS' },
  })
  .meta({ enum: [...entitlementTypes] })
  .transform((type) => type as EntitlementType);

const few = z.int().min(1).max(maxAmount);

/** The fields of all types of entitlement. The type decides which of them are allowed. */
const IntegrationConfig = z
  .strictObject({
    digital_file_ids: z.array(z.string().max(100)).max(1_000).nullish(),
    file_names: z
      .record(z.string().max(100), FileName)
      .refine((names) => Object.keys(names).length <= maxFiles, `has more than ${maxFiles} files`)
      .meta({ maxProperties: maxFiles })
      .nullish(),
    external_url: webAddress.nullish(),
    instructions: prose(1, 1_000).nullish(),
    downloads_limit: few.nullish(),
    legacy_file_ids: z.array(z.unknown()).max(0, says(sentences.legacy_files)).nullish(),
    activation_message: prose(1, 2_500).nullish(),
    activations_limit: few.nullish(),
    duration_count: few.max(1_000).nullish(),
    duration_interval: z.enum(validityUnits).nullish(),
    fulfillment_mode: z.enum(['auto', 'manual']).nullish(),
    pool: z.boolean().optional(),
    feature_id: text(1, 200).optional(),
    feature_type: z.literal('boolean').optional(),
  })
  .transform(
    (config): ConfigFields => ({
      fileIds: config.digital_file_ids ?? undefined,
      url: config.external_url,
      instructions: config.instructions,
      fileNames: config.file_names ?? undefined,
      downloadsLimit: config.downloads_limit,
      activationMessage: config.activation_message,
      activationsLimit: config.activations_limit,
      validityCount: config.duration_count,
      validityUnit: config.duration_interval,
      fulfillment: config.fulfillment_mode,
      isPool: config.pool,
      featureId: config.feature_id,
      featureType: config.feature_type,
    }),
  );

const Access = z
  .strictObject({
    full_refund_revokes: z.boolean().optional(),
    chargeback_suspends: z.boolean().optional(),
    lost_dispute_revokes: z.boolean().optional(),
  })
  .transform(
    (access): Partial<AccessRules> =>
      defined({
        endsByRefund: access.full_refund_revokes,
        pausesByDispute: access.chargeback_suspends,
        endsByLoss: access.lost_dispute_revokes,
      }),
  );

const fields = {
  name: text(1, 100),
  description: prose(1, 1_000).nullish(),
  metadata: MetadataMap.nullish(),
  access: Access.optional(),
};

/** The body of `POST /entitlements`. */
export const EntitlementInput = z
  .strictObject({ ...fields, integration_type: IntegrationType, integration_config: IntegrationConfig })
  .transform((input) => ({
    name: input.name,
    description: input.description ?? null,
    type: input.integration_type,
    config: input.integration_config,
    access: { ...usualAccessRules, ...input.access },
    metadata: input.metadata ?? {},
  }));

/** The body of `PATCH /entitlements/{id}`. Only named fields change. `null` clears the description and the metadata. */
export const EntitlementChangeInput = z
  .strictObject({ ...fields, name: fields.name.nullable(), integration_config: IntegrationConfig.nullable() })
  .partial()
  .transform((input) => ({
    name: input.name ?? undefined,
    description: input.description,
    config: input.integration_config ?? undefined,
    access: input.access,
    metadata: input.metadata === null ? {} : input.metadata,
  }));
