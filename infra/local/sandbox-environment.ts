import type { Merchant } from '../../shared/domain/merchant.ts';
import { answeredPaths, endpoints as routes } from '../endpoints.ts';
import { localAws } from '../local-aws/local-aws.ts';

export const localNames = {
  table: 'tillstack-sandbox',
  bucket: 'tillstack-images',
  files: 'tillstack-files',
  bus: 'tillstack-payments',
} as const;

/** The addresses of the parts of the sandbox. */
export interface LocalEndpoints {
  table: string;
  bucket: string;
  bus: string;
  /** The address of the queue of documents. */
  queue: string;
}

/** Environment variables that could lead the SDK to a real account. */
const misleading = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

/** Sets the variables that a stack sets for its functions. With them, the SDK only calls this machine. */
export function setEnvironment(
  { publicUrl, endpoints, merchant }: { publicUrl: string; endpoints: LocalEndpoints; merchant: Merchant },
  overrides: Readonly<Record<string, string>>,
): void {
  for (const name of misleading) delete process.env[name];
  Object.assign(process.env, {
    STAGE: 'sandbox',
    PUBLIC_URL: publicUrl,
    MERCHANT: JSON.stringify(merchant),
    TABLE_NAME: localNames.table,
    BUCKET_NAME: localNames.bucket,
    FILES_BUCKET: localNames.files,
    BUS_NAME: localNames.bus,
    DOCUMENT_QUEUE_URL: endpoints.queue,
    ROUTES: answeredPaths(routes),
    ALLOW_LOOPBACK_WEBHOOKS: 'true',
    AWS_REGION: localAws.region,
    AWS_ACCESS_KEY_ID: localAws.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localAws.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.table,
    AWS_ENDPOINT_URL_S3: endpoints.bucket,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.bus,
    ...overrides,
  });
}
