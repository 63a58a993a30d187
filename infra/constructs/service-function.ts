import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface ServiceFunctionProps {
  /** What it answers or does, as the console shows it. */
  description: string;
  /** Its bundle, whose `index.js` exports `handler`. */
  code: Code;
  /** The longest that one call may take. */
  timeout: Duration;
  /** Memory, and with it the share of a processor. */
  memoryMegabytes: number;
  /** What every function of the stack is told. */
  environment: Record<string, string>;
  /** After how many days a log line goes. */
  logRetentionDays: number;
  /** Whether its logs outlive the stack. */
  keepsLogs: boolean;
  /** Whether X-Ray traces it. */
  tracing: boolean;
}

/**
 * One Lambda function with a role and a log group of its own. The role may write to that log group and nothing else:
 * whatever the function needs, another construct grants. Lambda puts the time and the request's id before each line,
 * and Logs Insights finds the fields of the JSON behind them.
 */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { tracing, logRetentionDays, keepsLogs, memoryMegabytes, ...rest } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: logRetentionDays,
      removalPolicy: keepsLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      ...rest,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      memorySize: memoryMegabytes,
      role: new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
      logGroup,
      loggingFormat: LoggingFormat.TEXT,
      tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    logGroup.grantWrite(this);
  }

  /** Lets the function do `actions` on `resources`, under `conditions` if there are any. */
  allow(actions: string[], resources: string[], conditions?: Record<string, Record<string, unknown>>): void {
    this.addToRolePolicy(new PolicyStatement({ actions, resources, ...(conditions && { conditions }) }));
  }
}
