import { inflateRawSync } from 'node:zlib';
import { Merchant, type Stage } from './domain/merchant.ts';
import { type ClosedRegister, closedRegisters } from './domain/register-secrets.ts';

/** Reads a variable that the stack must set. Throws at once if it is missing. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** Log groups of CloudWatch, with their region and names. */
interface FunctionLogs {
  groups: string[];
  region: string;
}

let merchant: Merchant | undefined;

/**
 * The environment of a function, which the stack or the local sandbox sets. Each value is read when it is used, so a
 * function needs only the values that it uses.
 */
export const env = {
  tableName: () => required('TABLE_NAME'),
  bucketName: () => required('BUCKET_NAME'),
  /** The bucket of the files that buyers download. Set for the functions that use it. */
  filesBucket: () => required('FILES_BUCKET'),
  /** The address that replaces that of S3. The local sandbox sets it, under the name that the SDK reads. */
  bucketUrl: (): string | undefined =>
    process.env['AWS_ENDPOINT_URL_S3'] || process.env['AWS_ENDPOINT_URL'] || undefined,
  busName: () => required('BUS_NAME'),
  documentQueueUrl: () => required('DOCUMENT_QUEUE_URL'),
  /** The address that buyers and integrators see, without a trailing slash. */
  publicUrl: () => required('PUBLIC_URL').replace(/\/+$/, ''),
  stage: (): Stage => (required('STAGE') === 'live' ? 'live' : 'sandbox'),
  merchant: (): Merchant => {
    merchant ??= Merchant.parse(JSON.parse(required('MERCHANT')));
    return merchant;
  },
  /**
   * The routes of the stack, such as `GET,POST /products` for each path. Set for the function that answers unknown
   * routes.
   */
  routes: (): readonly string[] =>
    inflateRawSync(Buffer.from(required('ROUTES'), 'base64'))
      .toString('utf8')
      .split('\n'),
  /** Hashes of the secrets with which the CDN identifies itself. Empty if there is no CDN. */
  originSecretHashes: (): string[] =>
    (process.env['ORIGIN_SECRET_HASHES'] ?? '').split(',').filter((hash) => hash !== ''),
  /**
   * The name of the stage's processor. If undefined, a sandbox takes test cards, and a live stage takes no payments.
   */
  processor: (): string | undefined => process.env['PROCESSOR'] || undefined,
  /** The folder of the processor's secrets. Set for the functions that may read them. */
  processorSecrets: () => required('PROCESSOR_SECRETS'),
  /** The address of the fake processor. Set only by the local sandbox. */
  processorUrl: (): string | undefined => process.env['PROCESSOR_URL'] || undefined,
  /** The registers of tax ids for which the merchant has credentials. Set for the functions that may read these. */
  registers: (): readonly ClosedRegister[] =>
    closedRegisters.filter((name) => (process.env['REGISTERS'] ?? '').split(',').includes(name)),
  /** The address of the fake registers of tax ids. Set only by the local sandbox. */
  registerUrl: (): string | undefined => process.env['REGISTER_URL'] || undefined,
  /**
   * The address that replaces that of AWS's parameter store. The local sandbox sets it, under the name that the SDKs
   * read.
   */
  parameterStoreUrl: (): string | undefined =>
    process.env['AWS_ENDPOINT_URL_SSM'] || process.env['AWS_ENDPOINT_URL'] || undefined,
  /** The AWS credentials and the region, which Lambda sets. */
  aws: () => ({
    region: required('AWS_REGION'),
    credentials: async () => ({
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
      sessionToken: process.env['AWS_SESSION_TOKEN'] || undefined,
    }),
  }),
  /** The log groups of the stack's functions. Set only in AWS, for functions whose pages link to it. */
  functionLogs: (): FunctionLogs | undefined => {
    const groups = process.env['FUNCTION_LOGS'];
    return groups ? { groups: groups.split(','), region: required('AWS_REGION') } : undefined;
  },
  /** The deployed version, such as `0.2.0+97cf8f7a`. Set only in AWS, for the function that measures it. */
  version: (): string | undefined => process.env['VERSION'] || undefined,
  /**
   * The address of the folder with the published exchange rates, without a trailing slash. Set for the function that
   * downloads them.
   */
  exchangeRatesUrl: () => required('EXCHANGE_RATES_URL').replace(/\/+$/, ''),
  /** Whether webhooks may go to http addresses on this machine. Set only by the local sandbox. */
  allowsLoopbackWebhooks: () => process.env['ALLOW_LOOPBACK_WEBHOOKS'] === 'true',
  /** How many times faster than its schedule a webhook is sent again. Set only by the local sandbox. */
  webhookSpeed: (): number => Math.max(1, Number(process.env['WEBHOOK_SPEED'] ?? 1) || 1),
  /** The address of the sign-in with one click. Set only by the local sandbox. */
  oneClickSignIn: (): string | undefined => process.env['ONE_CLICK_SIGN_IN'] || undefined,
  /** The SES configuration set that makes SES report the results of mails. Set for the functions that send mail. */
  mailConfigurationSet: (): string | undefined => process.env['MAIL_CONFIGURATION_SET'] || undefined,
  /** The folder into which mails are written instead of being sent. Set only by the local sandbox. */
  mailFolder: (): string | undefined => process.env['MAIL_FOLDER'] || undefined,
};
