import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { Merchant, type Stage } from '../shared/domain/merchant.ts';

/** The `.json` files of the merchants that this repository deploys. */
export const merchantsDirectory = fileURLToPath(new URL('merchants', import.meta.url));

/** The merchant travels to each function in its environment, of which Lambda allows 4 kB in all. */
const maxMerchantBytes = 2_500;

/** The periods that CloudWatch Logs offers; a test compares them with the CDK's, which would be slow to import here. */
export const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Requests beyond it get a 429 from the gateway itself. */
const Throttle = z.strictObject({
  ratePerSecond: z.int().min(1).max(10_000),
  burst: z.int().min(1).max(5_000),
});

/** What may differ between the sandbox and the live stack of a merchant. */
const StageSettings = z.strictObject({
  throttle: Throttle.default({ ratePerSecond: 100, burst: 200 }),
  logRetentionDays: z
    .int()
    .refine((days) => retentionDays.includes(days), 'a period that CloudWatch knows, such as 7, 14, 30, 90 or 365')
    .default(30),
  /** Where alarms go; without it they are only seen in the console. */
  alarmEmail: z.email().optional(),
  /** The merchant's own address; its certificate lies in the stack's region. */
  customDomain: z
    .strictObject({
      domainName: z
        .hostname()
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a name in lower case with a dot in it, such as pay.example.com'),
      certificateArn: z.string().regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, 'an ACM ARN'),
    })
    .optional(),
  /** X-Ray traces of every function, at their price. */
  tracing: z.boolean().default(false),
});
export type StageSettings = z.infer<typeof StageSettings>;

/** A file of `infra/merchants`: who sells, and what differs by stage. */
export const MerchantConfig = z.strictObject({
  /** A remark for people. */
  $comment: z.string().optional(),
  merchant: Merchant.refine(
    (merchant) => Buffer.byteLength(JSON.stringify(merchant)) <= maxMerchantBytes,
    `at most ${maxMerchantBytes} bytes as JSON, because every function carries it in its environment`,
  ),
  stages: z
    .strictObject({ sandbox: StageSettings.prefault({}), live: StageSettings.prefault({}) })
    .refine(
      ({ sandbox, live }) => !sandbox.customDomain || sandbox.customDomain.domainName !== live.customDomain?.domainName,
      {
        error: 'each stage needs a domain of its own',
        path: ['live', 'customDomain', 'domainName'],
      },
    )
    .prefault({}) satisfies z.ZodType<Record<Stage, StageSettings>>,
});
export type MerchantConfig = z.infer<typeof MerchantConfig>;

/** A deployment that was asked for wrongly: its message is for whoever typed the command. */
export class DeploymentError extends Error {}

/** The configuration of one merchant, with every default filled in; errors name the file and the fields. */
export function loadMerchantConfig(name: string, directory: string = merchantsDirectory): MerchantConfig {
  const file = directory === merchantsDirectory ? `infra/merchants/${name}.json` : join(directory, `${name}.json`);
  const parsed = MerchantConfig.safeParse(parseJson(file, readMerchantFile(name, file, directory)));
  if (!parsed.success)
    throw new DeploymentError(`${file} is not valid:\n${parsed.error.issues.map(describe).join('\n')}`);
  if (parsed.data.merchant.id !== name) {
    throw new DeploymentError(`${file}: merchant.id is "${parsed.data.merchant.id}", but the file is named "${name}".`);
  }
  return parsed.data;
}

function readMerchantFile(name: string, file: string, directory: string): string {
  if (!existsSync(directory)) throw new DeploymentError(`There is no directory ${directory}.`);
  const known = readdirSync(directory).filter((entry) => entry.endsWith('.json'));
  if (known.includes(`${name}.json`)) return readFileSync(join(directory, `${name}.json`), 'utf8');
  const merchants = known.map((entry) => entry.replace(/\.json$/, '')).join(', ') || 'none';
  throw new DeploymentError(`There is no ${file}. Merchants: ${merchants}.`);
}

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
