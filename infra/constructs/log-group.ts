import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnQueryDefinition, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { errorsQuery, followQuery } from '../../shared/domain/log-queries.ts';
import type { StageSettings } from '../stage-settings.ts';

interface LogGroupProps extends Pick<StageSettings, 'logRetentionDays'> {
  /** Whether it outlives the stack. */
  keepsLogs: boolean;
  /** Its physical name. Default: CloudFormation's. */
  logGroupName?: string;
}

/** Creates a log group that forgets each line after the stage's days. */
export const createLogGroup = (
  scope: Construct,
  id: string,
  { logRetentionDays, keepsLogs, logGroupName }: LogGroupProps,
): LogGroup =>
  new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: logRetentionDays,
    removalPolicy: keepsLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });

/** Saves what an operator asks the logs of a stack, in a folder of the console with the stack's name. */
export function saveQueries(scope: Construct, label: string, logGroups: readonly LogGroup[]): void {
  const logGroupNames = logGroups.map((group) => group.logGroupName);
  const save = (id: string, name: string, queryString: string) =>
    new CfnQueryDefinition(scope, id, { name: `${label}/${name}`, queryString, logGroupNames });
  save('FollowQuery', 'follow', followQuery(['REPLACE_THIS_BY_AN_ID']));
  save('ErrorsQuery', 'errors', errorsQuery);
}
