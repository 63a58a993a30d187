import { type Duration, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface ServiceFunctionProps {
  /** The description that the console shows. */
  description: string;
  /** The code of the bundle. Its `index.js` exports `handler`. */
  code: Code;
  /** The maximum duration of one call. */
  timeout: Duration;
  /** The memory in megabytes. Lambda gives CPU in proportion to it. */
  memoryMegabytes: number;
  /** The environment of every function of the stack. */
  environment: Record<string, string>;
  /** The log group, which functions of the stack share. Lambda puts the function's name into the names of the streams. */
  logGroup: ILogGroup;
  /** Whether X-Ray traces it. */
  tracing: boolean;
  /** The reserved concurrency, which is also the maximum. By default, nothing is reserved. */
  reservedConcurrency?: number | undefined;
}

/**
 * One Lambda function with its own role. The role may only write to its log group. Other constructs grant the
 * rest. The log contains our own lines and Lambda's warnings. Lambda's three lines for each call are switched off,
 * because the metrics contain the same and these lines were most of the log.
 */
export class ServiceFunction extends LambdaFunction {
  /** Whether it has a concurrency of its own. Lambda refuses calls beyond it, also if the account has more. */
  readonly isLimited: boolean;
  private readonly permissions: PolicyDocument;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { tracing, memoryMegabytes, reservedConcurrency, ...rest } = props;
    const permissions = new PolicyDocument();
    super(scope, id, {
      ...rest,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      memorySize: memoryMegabytes,
      role: createRole(scope, `${id}Role`, permissions),
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
    });
    this.permissions = permissions;
    this.isLimited = reservedConcurrency !== undefined;
    this.allowLog(rest.logGroup);
    if (tracing) this.trace();
  }

  /** Lets the function do `actions` on `resources`. The permission can have conditions. */
  allow(actions: string[], resources: string[], conditions?: Record<string, Record<string, unknown>>): void {
    this.permissions.addStatements(new PolicyStatement({ actions, resources, ...(conditions && { conditions }) }));
  }

  /** Lets the function write to a log group. */
  allowLog(logGroup: ILogGroup): void {
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
  }

  /**
   * Makes a deployment change this function after another one. The other function must already be able to read what
   * this one writes.
   */
  deployAfter(reader: ServiceFunction): void {
    this.cfnFunction.addResourceDependency(reader.cfnFunction);
  }

  /** Explains to cdk-nag why a wildcard in the role cannot be narrower. */
  acknowledgeWildcard(resource: string, reason: string): void {
    if (this.role) Validations.of(this.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  }

  private get cfnFunction(): CfnFunction {
    return this.node.defaultChild as CfnFunction;
  }

  /** Allows tracing with X-Ray. X-Ray has no resources, so the permission must be for all of them. */
  private trace(): void {
    this.cfnFunction.tracingConfig = { mode: 'Active' };
    this.allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']);
    this.acknowledgeWildcard('*', 'X-Ray has no resources that a permission could name.');
  }
}

/**
 * Creates the role. The permissions are part of it, so the role never exists without them, and the stack has one
 * resource fewer.
 */
const createRole = (scope: Construct, id: string, permissions: PolicyDocument): Role =>
  new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Permissions: permissions },
  });
