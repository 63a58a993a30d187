import { CfnOutput, Duration, Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../shared/domain/merchant.ts';
import { Alarms } from './constructs/alarms.ts';
import { Dashboard } from './constructs/dashboard.ts';
import { DataTable } from './constructs/data-table.ts';
import type { FunctionCode } from './constructs/function-bundles.ts';
import { HttpApi } from './constructs/http-api.ts';
import { PaymentEvents } from './constructs/payment-events.ts';
import { ProductImages } from './constructs/product-images.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
import { ServiceMetrics } from './constructs/service-metrics.ts';
import {
  dispatchRule,
  type Endpoint,
  endpoints,
  streamConsumer,
  sweepSchedule,
  type TableGrants,
} from './endpoints.ts';
import type { MerchantConfig, StageSettings } from './merchant-config.ts';

export interface MerchantStackProps {
  /** Who sells, and what differs by stage. */
  config: MerchantConfig;
  /** Test money or real money; real money's data outlive the stack. */
  stage: Stage;
  /** The code of each function of the route table. */
  code: FunctionCode;
}

/** A call of the API: one second is slow, and memory is what buys the speed of a cold start. */
const apiSize = { timeout: Duration.seconds(10), memoryMegabytes: 1024 };

/** Nobody waits for a worker. The sweep ends before the two minutes pass for which it claims what it works on. */
const relaySize = { timeout: Duration.seconds(60), memoryMegabytes: 512 };
const dispatchSize = { timeout: Duration.seconds(60), memoryMegabytes: 512 };
const sweepSize = { timeout: Duration.seconds(100), memoryMegabytes: 512 };

/** Every function that a stack needs, by its name in the route table. */
export const functionNames = [...endpoints, streamConsumer, dispatchRule, sweepSchedule].map(
  ({ function: name }) => name,
);

/** Everything that one stage of one merchant consists of; it shares nothing with another stack. */
export class MerchantStack extends Stack {
  private readonly props: MerchantStackProps;
  private readonly settings: StageSettings;
  private readonly keepsData: boolean;
  private readonly data: DataTable;
  private readonly api: HttpApi;
  private readonly functions: ServiceFunction[] = [];

  constructor(scope: Construct, props: MerchantStackProps) {
    const { config, stage } = props;
    super(scope, `tillstack-${config.merchant.id}-${stage}`, {
      description: `Tillstack ${stage} of ${config.merchant.id}`,
      terminationProtection: stage === 'live',
    });
    this.props = props;
    this.settings = config.stages[stage];
    this.keepsData = stage === 'live';
    this.data = new DataTable(this, 'Data', { keepsData: this.keepsData });
    this.api = new HttpApi(this, 'Http', { ...this.settings, label: this.stackName, keepsLogs: this.keepsData });
    for (const endpoint of endpoints) this.addEndpoint(endpoint);
    this.addEvents();
    const images = new ProductImages(this, 'Images', { keepsData: this.keepsData });
    this.addTags();
    this.addOutputs({
      PublicUrl: this.api.publicUrl,
      TableName: this.data.table.tableName,
      BucketName: images.bucket.bucketName,
    });
  }

  private addEndpoint(endpoint: Endpoint): void {
    const description = `${endpoint.method} ${endpoint.paths.join(', ')}`;
    const fn = this.addFunction(endpoint, { ...apiSize, description });
    this.api.addEndpoint(endpoint, fn);
  }

  private addEvents(): void {
    const events = new PaymentEvents(this, 'Events', { pattern: { source: [...dispatchRule.pattern.source] } });
    const relay = this.addFunction(streamConsumer, { ...relaySize, description: 'Publishes new events on the bus' });
    const dispatcher = this.addFunction(dispatchRule, { ...dispatchSize, description: 'Delivers events to webhooks' });
    const sweeper = this.addFunction(sweepSchedule, { ...sweepSize, description: 'Finishes whatever is due' });
    events.relay(this.data.table, streamConsumer.filter, relay);
    events.dispatch(dispatcher);
    events.sweep(sweepSchedule.everyMinutes, sweeper);
    for (const publisher of [relay, sweeper]) events.grantPublish(publisher);
    this.addAlarms(events, relay);
  }

  private addFunction(line: { function: string; table: TableGrants }, size: Size): ServiceFunction {
    const { config, stage, code } = this.props;
    const fn = new ServiceFunction(this, constructIdOf(line.function), {
      ...size,
      code: code(line.function),
      environment: { STAGE: stage, MERCHANT: JSON.stringify(config.merchant) },
      logRetentionDays: this.settings.logRetentionDays,
      keepsLogs: this.keepsData,
      tracing: this.settings.tracing,
    });
    this.data.grantAccess(fn, line.table);
    this.api.grantAddress(fn);
    this.functions.push(fn);
    return fn;
  }

  private addAlarms(events: PaymentEvents, relay: ServiceFunction): void {
    const { stage, config } = this.props;
    const { api, functions, settings } = this;
    const metrics = new ServiceMetrics({ merchant: config.merchant.id, stage, api, events, relay, functions });
    const email = settings.alarmEmail && { email: settings.alarmEmail };
    new Alarms(this, 'Alarms', { metrics, watchesPayments: stage === 'live', ...email });
    new Dashboard(this, 'Overview', { metrics, title: this.stackName });
  }

  /** What the bill is split by. */
  private addTags(): void {
    const { config, stage } = this.props;
    const tags = { service: 'tillstack', merchant: config.merchant.id, stage };
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);
  }

  private addOutputs(outputs: Record<string, string>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

type Size = Pick<ServiceFunctionProps, 'description' | 'timeout' | 'memoryMegabytes'>;

/** `refunds/create-refund` → `CreateRefund`, by which the console sorts. */
function constructIdOf(functionName: string): string {
  const words = functionName.slice(functionName.lastIndexOf('/') + 1).split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
