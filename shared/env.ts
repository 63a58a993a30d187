import { inflateRawSync } from 'node:zlib';
import { Merchant, type Stage } from './domain/merchant.ts';
import { type ClosedRegister, closedRegisters } from './domain/register-secrets.ts';

/** A variable that the stack must set. If it is missing, an error is thrown at once. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** A log group of CloudWatch, with its region and name. */
interface FunctionLogs {
  group: string;
  region: string;
}

let merchant: Merchant | undefined;

/**
 * The environment of a function, set by the stack or the local sandbox. Each value is read on use, so a function
 * needs only its own.
 */
export const env = {
  tableName: () => required('TABLE_NAME'),
  bucketName: () => required('BUCKET_NAME'),
  /** The bucket of the files that buyers download; set for the functions that may reach it. */
  filesBucket: () => required('FILES_BUCKET'),
  /** Replaces the address of S3, as the SDK reads it; set by the local sandbox. */
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
   * The routes of the stack, one `GET,POST /products` for each path; set for the function that answers all other
   * requests.
   */
  routes: (): readonly string[] =>
    inflateRawSync(Buffer.from(required('ROUTES'), 'base64'))
      .toString('utf8')
      .split('\n'),
  /** Hashes of the secrets by which the distribution is recognized; empty if there is no distribution. */
  originSecretHashes: (): string[] =>
    (process.env['ORIGIN_SECRET_HASHES'] ?? '').split(',').filter((hash) => hash !== ''),
  /** The name of the stage's processor; undefined: test cards in a sandbox, no payments in live. */
  processor: (): string | undefined => process.env['PROCESSOR'] || undefined,
  /** The folder of the processor's secrets; set for the functions that may read them. */
  processorSecrets: () => required('PROCESSOR_SECRETS'),
  /** Set by the local sandbox only: the address of the fake processor. */
  processorUrl: (): string | undefined => process.env['PROCESSOR_URL'] || undefined,
  /** The registers of tax ids for which the merchant has credentials; set for the functions that may read them. */
  registers: (): readonly ClosedRegister[] =>
    closedRegisters.filter((name) => (process.env['REGISTERS'] ?? '').split(',').includes(name)),
  /** Set by the local sandbox only: the address of the fake registers of tax ids. */
  registerUrl: (): string | undefined => process.env['REGISTER_URL'] || undefined,
  /** Replaces AWS's own address, as the SDKs read it; set by the local sandbox. */
  parameterStoreUrl: (): string | undefined =>
    process.env['AWS_ENDPOINT_URL_SSM'] || process.env['AWS_ENDPOINT_URL'] || undefined,
  /** The AWS credentials and region, as Lambda sets them. */
  aws: () => ({
    region: required('AWS_REGION'),
    credentials: async () => ({
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
      sessionToken: process.env['AWS_SESSION_TOKEN'] || undefined,
    }),
  }),
  /** The log group of the stack's functions; set in AWS only, for the functions whose pages lead to it. */
  functionLogs: (): FunctionLogs | undefined => {
    const group = process.env['FUNCTION_LOGS'];
    return group ? { group, region: required('AWS_REGION') } : undefined;
  },
  /** The deployed version, such as `0.2.0+97cf8f7a`; set in AWS only, for the function that measures it. */
  version: (): string | undefined => process.env['VERSION'] || undefined,
  /** The folder with the published exchange rates, without a trailing slash; set for the function that fetches them. */
  exchangeRatesUrl: () => required('EXCHANGE_RATES_URL').replace(/\/+$/, ''),
  /** Set by the local sandbox only: webhooks may go to http addresses on this machine. */
  allowsLoopbackWebhooks: () => process.env['ALLOW_LOOPBACK_WEBHOOKS'] === 'true',
  /** Set by the local sandbox only: how many times faster than its schedule a webhook is attempted again. */
  webhookSpeed: (): number => Math.max(1, Number(process.env['WEBHOOK_SPEED'] ?? 1) || 1),
  /** Set by the local sandbox only: the address of the one-click sign-in. */
  oneClickSignIn: (): string | undefined => process.env['ONE_CLICK_SIGN_IN'] || undefined,
  /** The configuration set by which SES reports what becomes of mails; set for the functions that send mail. */
  mailConfigurationSet: (): string | undefined => process.env['MAIL_CONFIGURATION_SET'] || undefined,
  /** Set by the local sandbox only: the folder for mails, which are not sent. */
  mailFolder: (): string | undefined => process.env['MAIL_FOLDER'] || undefined,
};
