import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnQueryDefinition, FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { errorsQuery, followQuery } from '../../shared/domain/log-queries.ts';
import { failedCall } from '../../shared/domain/reports/failed-call.ts';
import { metricNamespace } from '../metric-names.ts';
import type { StageSettings } from '../stage-settings.ts';

interface LogGroupProps extends Pick<StageSettings, 'logRetentionDays'> {
  /** Whether the log is kept when the stack is removed. */
  keepsLogs: boolean;
  /** Its physical name. By default, CloudFormation chooses it. */
  logGroupName?: string;
}

/** Creates a log group. It deletes lines after the number of days in the settings of the stage. */
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

/**
 * Matches one line of each failed call of a worker. Our code logs an exception, and Lambda then reports a success.
 * Lambda itself reports what our code cannot log: a timeout, a crash, used-up memory and code that does not load.
 */
export const failedCalls = FilterPattern.any(
  FilterPattern.stringValue('$.message', '=', failedCall),
  FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  ),
);

/** Counts the failed calls in the log of the workers. */
export const countFailures = (scope: Construct, label: string, logGroup: LogGroup): MetricFilter =>
  new MetricFilter(scope, 'WorkerErrors', {
    logGroup,
    filterPattern: failedCalls,
    metricNamespace,
    metricName: `WorkerErrors-${label}`,
  });

/** Saves the operator's log queries in the console, in a folder with the name of the stack. */
export function saveQueries(scope: Construct, label: string, logGroups: readonly LogGroup[]): void {
  const logGroupNames = logGroups.map((group) => group.logGroupName);
  const save = (id: string, name: string, queryString: string) =>
    new CfnQueryDefinition(scope, id, { name: `${label}/${name}`, queryString, logGroupNames });
  save('FollowQuery', 'follow', followQuery(['REPLACE_THIS_BY_AN_ID']));
  save('ErrorsQuery', 'errors', errorsQuery);
}
