import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { Merchant, type Stage } from '../shared/domain/merchant.ts';
import { sellerTaxIdFault } from '../shared/tax/tax-ids/seller-tax-id.ts';
import { faultMessage } from '../shared/wire/fault-message.ts';
import { merchantWords, words } from './merchant-words.ts';
import { StageSettings } from './stage-settings.ts';

/** The folder with the `.json` files of the merchants that this repository deploys. */
export const merchantsDirectory = fileURLToPath(new URL('merchants', import.meta.url));

/**
 * The most bytes of a merchant's settings. They are in the environment of each function, for which Lambda allows 4 kB.
 */
const maxMerchantBytes = 2_500;

/** Refuses a tax id with a typing error, because every document shows it. */
function refuseMistypedTaxId({ taxId, country }: Merchant, context: z.core.$RefinementCtx): void {
  const broken = taxId === undefined ? undefined : sellerTaxIdFault(taxId, country);
  if (broken) context.addIssue({ code: 'custom', path: ['taxId'], message: broken.message });
}

const waiverIsGone =
  'must not be "withdrawal", because nothing confirms it to buyers on a durable medium: their right of withdrawal would stay';

/**
 * A merchant in a file. Version 0.2.0 had this setting for consents other than the terms. A file that still has it is
 * refused.
 */
const MerchantInFile = Merchant.extend({
  consents: z
    .array(
      z.enum(['terms'], {
        error: ({ input }) => (input === 'withdrawal' ? waiverIsGone : undefined),
      }),
    )
    .optional()
    .meta({ ...merchantWords.consents }),
});

/** A file in `infra/merchants`. It contains the merchant, and the settings that differ by stage. */
export const MerchantConfig = z.strictObject({
  $schema: z
    .string()
    .optional()
    .meta({ ...words('Where an editor finds the schema of this file: `./merchant.schema.json`.', 'editors') }),
  $comment: z
    .string()
    .optional()
    .meta({ ...words('A remark for people.', 'people') }),
  merchant: MerchantInFile.refine(
    (merchant) => Buffer.byteLength(JSON.stringify(merchant)) <= maxMerchantBytes,
    `must have at most ${maxMerchantBytes} bytes as JSON, because every function has it in its environment`,
  ).superRefine(refuseMistypedTaxId),
  stages: z
    .strictObject({ sandbox: StageSettings.prefault({}), live: StageSettings.prefault({}) })
    .refine(
      ({ sandbox, live }) => !sandbox.customDomain || sandbox.customDomain.domainName !== live.customDomain?.domainName,
      {
        error: 'must differ from the domain of the other stage',
        path: ['live', 'customDomain', 'domainName'],
      },
    )
    .prefault({}) satisfies z.ZodType<Record<Stage, StageSettings>>,
});
export type MerchantConfig = z.infer<typeof MerchantConfig>;

/** The JSON schema with which editors complete the merchants' files. It is in the same folder. */
export const schemaFile = 'merchant.schema.json';

/** Thrown if a deployment is invalid. The message tells the operator what to do. */
export class DeploymentError extends Error {}

/** Loads a merchant's configuration with all defaults. Errors contain the file and the fields. */
export function loadMerchantConfig(name: string, directory: string = merchantsDirectory): MerchantConfig {
  const file = directory === merchantsDirectory ? `infra/merchants/${name}.json` : join(directory, `${name}.json`);
  const parsed = MerchantConfig.safeParse(parseJson(file, readMerchantFile(name, file, directory)), {
    error: faultMessage,
  });
  if (!parsed.success)
    throw new DeploymentError(`${file} is not valid:\n${parsed.error.issues.map(describe).join('\n')}`);
  if (parsed.data.merchant.id !== name) {
    throw new DeploymentError(`${file}: merchant.id is "${parsed.data.merchant.id}", but the file is named "${name}".`);
  }
  return parsed.data;
}

function readMerchantFile(name: string, file: string, directory: string): string {
  if (!existsSync(directory)) throw new DeploymentError(`There is no directory ${directory}.`);
  const known = merchantNames(directory);
  if (known.includes(name)) return readFileSync(join(directory, `${name}.json`), 'utf8');
  throw new DeploymentError(`There is no ${file}. Merchants: ${known.join(', ') || 'none'}.`);
}

/** The merchants with a file in a folder. */
export const merchantNames = (directory: string): string[] =>
  readdirSync(directory)
    .filter((entry) => entry.endsWith('.json') && entry !== schemaFile)
    .map((entry) => entry.replace(/\.json$/, ''))
    .sort();

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DeploymentError(`${file} is not JSON: ${String(error)}`, { cause: error });
  }
}

function describe(issue: z.core.$ZodIssue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const fields = unknown.length > 0 ? unknown : [undefined];
  return fields.map((key) => `  ${[...issue.path, ...(key ? [key] : [])].join('.')}: ${issue.message}`).join('\n');
}
