import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import type { Stage } from '../../../shared/domain/merchant.ts';
import type { MerchantConfig } from '../../merchant-config.ts';
import type { StageSettings } from '../../stage-settings.ts';

/** The credentials of a role that was assumed. */
export interface RoleCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/**
 * The operator's AWS clients. Their region is the one in the merchant's file, or otherwise the one in the environment,
 * and so are their credentials, unless a role was assumed.
 */
export function openClients(region: string | undefined, credentials?: RoleCredentials) {
  const config = { ...(region && { region }), ...(credentials && { credentials }) };
  return {
    cloudFormation: new CloudFormationClient(config),
    /** The client for us-east-1, where the web ACL of a CloudFront distribution must be. */
    cloudFormationOfUsEast1: new CloudFormationClient({ ...config, region: 'us-east-1' }),
    cloudWatch: new CloudWatchClient(config),
    logs: new CloudWatchLogsClient(config),
    table: new DynamoDBClient(config),
    events: new EventBridgeClient(config),
    iam: new IAMClient(config),
    lambda: new LambdaClient(config),
    bucket: new S3Client({ ...config, forcePathStyle: true }),
    mail: new SESv2Client(config),
    quotas: new ServiceQuotasClient(config),
    queues: new SQSClient({ ...config, useQueueUrlAsEndpoint: false }),
    identity: new STSClient(config),
  };
}

export type OperatorClients = ReturnType<typeof openClients>;

/** The context of a command on a deployed stack. */
export interface OpsContext {
  config: MerchantConfig;
  stage: Stage;
  settings: StageSettings;
  /** The name of the stack, such as `tillstack-demo-live`. */
  stackName: string;
  clients: OperatorClients;
  options: OpsOptions;
}

export interface OpsOptions {
  yes: boolean;
  everything: boolean;
  errors: boolean;
  /** A time span such as `6h`. If absent, each command has its own default. */
  since?: string | undefined;
  /** The id for the command `follow`. */
  id?: string | undefined;
  find?: string | undefined;
  function?: string | undefined;
  queue?: string | undefined;
}

/** The result of a command: as text for a person, and as data for a program. */
export interface OpsReport {
  /** Whether nothing is wrong. */
  isFine: boolean;
  lines: string[];
  json: unknown;
}
