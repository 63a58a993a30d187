import { CfnOutput, Duration, NestedStack, Stack } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../shared/domain/merchant.ts';
import { type ProcessorPart, secretsFolder } from '../shared/domain/processor.ts';
import { namingExample } from '../shared/outside/processor/registry.ts';
import { Alarms } from './constructs/alarms.ts';
import { BuyerFiles } from './constructs/buyer-files.ts';
import { Dashboard } from './constructs/dashboard.ts';
import { DataTable } from './constructs/data-table.ts';
import { Front, viewerCountryHeader } from './constructs/front.ts';
import type { FunctionCode } from './constructs/function-bundles.ts';
import { HttpApi } from './constructs/http-api.ts';
import { countFailures, createLogGroup, saveQueries } from './constructs/log-group.ts';
import { PaymentEvents } from './constructs/payment-events.ts';
import { grantProcessorSecrets, grantRegisterSecrets } from './constructs/processor-secrets.ts';
import { ProductImages } from './constructs/product-images.ts';
import { ReceiptMail } from './constructs/receipt-mail.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
import { ServiceMetrics, type ServiceMetricsProps } from './constructs/service-metrics.ts';
import { markStack } from './constructs/stack-marks.ts';
import {
  answeredPaths,
  dispatchRule,
  type Endpoint,
  type ExportGrant,
  endpoints,
  eraseSchedule,
  exportsSchedule,
  type FileGrant,
  type ImageGrant,
  mailReportRule,
  originSecretProvider,
  queueConsumer,
  ratesSchedule,
  reconcileSchedule,
  shopSchedule,
  streamConsumer,
  sweepSchedule,
  type TableGrants,
  thresholdsSchedule,
} from './endpoints.ts';
import { constructIdOf, nestedFolderOf, pascalCase } from './function-names.ts';
import { DeploymentError, type MerchantConfig } from './merchant-config.ts';
import { documentWorkersOf, type StageSettings } from './stage-settings.ts';

export interface TillstackStackProps {
  /** The merchant, with the settings of each stage. */
  config: MerchantConfig;
  /** The stage: test money or real money. If a stack for real money is removed, its data is kept. */
  stage: Stage;
  /** The code of each function of the route table, from `stageCode`. */
  code: FunctionCode;
  /** The deployed version, such as `0.2.0+97cf8f7a`, from `sourceVersionOf`. */
  version: string;
  /** The web ACL, if the stage is protected. `addStacks` makes it. */
  webAclArn?: string;
}

/** The timeout of most functions. A call to the API that takes one second is already slow. */
const apiLimits = { timeout: Duration.seconds(10) };

/** The timeout of workers. A sweep must end within the two minutes for which it reserves its work. */
const workerLimits = { timeout: Duration.seconds(60) };
const sweepLimits = { timeout: Duration.seconds(100) };
/** The longest run time that Lambda allows. */
const longestLimits = { timeout: Duration.minutes(15) };

/** The functions on a schedule besides the sweep, by the names of their rules. */
const scheduled = {
  Reconcile: { schedule: reconcileSchedule, description: 'Compares the processor’s account with the books' },
  FetchRates: { schedule: ratesSchedule, description: 'Fetches the published exchange rates', ...workerLimits },
  RunExports: { schedule: exportsSchedule, description: 'Makes the files of returns and lists' },
  WatchThresholds: {
    schedule: thresholdsSchedule,
    description: 'Compares sales with the limits of registration',
  },
  WatchShop: {
    schedule: shopSchedule,
    description: 'Looks for sales that stopped, keys about to end and books out of balance',
  },
  Erase: { schedule: eraseSchedule, description: 'Erases personal data where that was requested' },
} as const;

/**
 * All resources of one stage of a merchant. It shares nothing with other stacks. Apps in other repositories import it, so
 * its name, its properties and its props keep their meaning.
 */
export class TillstackStack extends Stack {
  /** The bus with all events of the stage, for rules of the merchant's own. */
  readonly eventBus: IEventBus;
  private readonly props: TillstackStackProps;
  private readonly settings: StageSettings;
  private readonly keepsData: boolean;
  private readonly data: DataTable;
  private readonly images: ProductImages;
  private readonly files: BuyerFiles;
  private readonly mail: ReceiptMail | undefined;
  /** The log of the functions that answer requests. */
  private readonly functionLogs: LogGroup;
  /** The log of the functions that no caller waits for. */
  private readonly workerLogs: LogGroup;
  private readonly api: HttpApi;
  private readonly front: Front | undefined;
  private readonly publicUrl: string;
  private readonly functions: ServiceFunction[] = [];
  private readonly folderStacks = new Map<string, NestedStack>();

  constructor(scope: Construct, props: TillstackStackProps) {
    const { config, stage } = props;
    super(scope, `tillstack-${config.merchant.id}-${stage}`, {
      description: `Tillstack ${stage} of ${config.merchant.id}`,
      terminationProtection: stage === 'live',
      ...placeOf(config.stages[stage]),
    });
    this.props = props;
    this.settings = settingsOf(props);
    this.keepsData = stage === 'live';
    const storage = { keepsData: this.keepsData, encryptionKeyArn: this.settings.encryptionKeyArn };
    this.data = new DataTable(this, 'Data', storage);
    this.images = new ProductImages(this, 'Images', storage);
    const { webAclArn } = props;
    const hasFront = webAclArn !== undefined;
    const logs = { logRetentionDays: this.settings.logRetentionDays, keepsLogs: this.keepsData };
    this.functionLogs = createLogGroup(this, 'FunctionLogs', logs);
    this.workerLogs = createLogGroup(this, 'WorkerLogs', logs);
    this.api = new HttpApi(this, 'Http', {
      ...this.settings,
      label: this.stackName,
      keepsLogs: this.keepsData,
      hasFront,
    });
    saveQueries(this, this.stackName, [this.functionLogs, this.workerLogs, this.api.accessLog]);
    this.front = hasFront ? this.createFront(webAclArn) : undefined;
    this.publicUrl = this.front?.publicUrl ?? this.api.url;
    this.files = new BuyerFiles(this, 'Files', { ...storage, publicUrl: this.publicUrl });
    const { receipts } = config.merchant;
    this.mail = receipts && new ReceiptMail(this, 'Mail', receipts);
    for (const endpoint of endpoints) this.addEndpoint(endpoint);
    this.deployOpenersLast();
    this.eventBus = this.addEvents();
    this.addMailReports();
    const { permissionsBoundary } = this.settings;
    markStack(this, { merchant: config.merchant.id, stage, version: props.version, permissionsBoundary });
    this.addOutputs({
      Version: props.version,
      PublicUrl: this.publicUrl,
      TableName: this.data.table.tableName,
      BucketName: this.images.bucket.bucketName,
      FilesBucketName: this.files.bucket.bucketName,
      Payments: paymentsOf(this.settings, config.merchant.id, stage),
    });
  }

  private createFront(webAclArn: string): Front {
    const description = 'Creates the secret between the distribution and the API';
    const secretProvider = this.createFunction(originSecretProvider, { ...workerLimits, description });
    return new Front(this, 'Front', {
      ...this.settings,
      apiDomainName: this.api.domainName,
      webAclArn,
      secretProvider,
    });
  }

  private addEndpoint(endpoint: Endpoint): void {
    const description = `${endpoint.method} ${endpoint.paths.join(', ')}`;
    const fn = this.addFunction(endpoint, { ...apiLimits, description }, this.scopeOf(endpoint.function));
    if (endpoint.paths[0] === '$default') fn.addEnvironment('ROUTES', answeredPaths(endpoints));
    this.api.addEndpoint(endpoint, fn);
  }

  /**
   * Deploys the functions that price sessions first. During a deployment, an older function could lose the offers that
   * a session names.
   */
  private deployOpenersLast(): void {
    const withOffers = endpoints.filter(({ table }) => table.get?.includes('OFFER'));
    const ids = (lines: readonly Endpoint[]) => new Set(lines.map((line) => constructIdOf(line.function)));
    const openers = ids(withOffers.filter(({ table }) => table.put?.includes('OFFER')));
    const pricers = ids(withOffers.filter(({ table }) => !table.put?.includes('OFFER')));
    for (const opener of this.functions.filter(({ node }) => openers.has(node.id)))
      for (const pricer of this.functions.filter(({ node }) => pricers.has(node.id))) opener.deployAfter(pricer);
  }

  private addEvents(): IEventBus {
    const events = new PaymentEvents(this, 'Events', {
      kept: { source: [...dispatchRule.pattern.source] },
      ruleAccounts: this.settings.eventRuleAccounts,
    });
    const relay = this.addFunction(streamConsumer, { ...workerLimits, description: 'Publishes new events on the bus' });
    const sweeper = this.addFunction(sweepSchedule, { ...sweepLimits, description: 'Finishes all work that is due' });
    sweeper.addEnvironment('VERSION', this.props.version);
    this.data.grantStream(relay);
    events.relay(this.data.table, streamConsumer.filter, relay);
    const description = 'Called with every event';
    const dispatcher = this.addFunction(dispatchRule, { ...workerLimits, description });
    events.dispatch({ source: [...dispatchRule.pattern.source] }, dispatcher);
    const issuer = this.addFunction(queueConsumer, {
      ...workerLimits,
      description: 'Issues invoices and credit notes',
    });
    const documents = events.queueFor(issuer, { ...queueConsumer.batch, atOnce: documentWorkersOf(this.settings) });
    events.sweep(sweepSchedule.everyMinutes, sweeper);
    for (const publisher of [relay, sweeper]) {
      events.grantPublish(publisher, documents);
      publisher.deployAfter(dispatcher);
    }
    events.grantCount(sweeper, documents);
    this.mail?.grantQuota(sweeper);
    issuer.deployAfter(sweeper); // An older sweep does not find the mails that this issuer leaves.
    this.addScheduled(events);
    this.addAlarms(events, { relay, sweeper, busyWorkers: [relay, dispatcher, issuer, sweeper] });
    this.addOutputs({ EventBusName: events.bus.eventBusName, EventBusArn: events.bus.eventBusArn });
    return events.bus;
  }

  private addScheduled(events: PaymentEvents): void {
    for (const [id, { schedule, ...limits }] of Object.entries(scheduled)) {
      const fn = this.addFunction(schedule, { ...longestLimits, ...limits }, this.scopeOf(schedule.function));
      if (schedule === ratesSchedule) fn.addEnvironment('EXCHANGE_RATES_URL', this.settings.exchangeRatesUrl);
      events.repeat(id, schedule.everyMinutes, fn);
    }
  }

  private addMailReports(): void {
    if (!this.mail) return;
    const limits = { ...workerLimits, description: 'Notes what became of mails to buyers' };
    this.mail.report(
      mailReportRule.tag,
      this.addFunction(mailReportRule, limits, this.scopeOf(mailReportRule.function)),
    );
  }

  private addFunction(line: Line, limits: Limits, scope: Construct = this): ServiceFunction {
    const fn = this.createFunction(line, limits, scope);
    fn.addEnvironment('PUBLIC_URL', this.publicUrl);
    if (this.front) fn.addEnvironment('ORIGIN_SECRET_HASHES', this.front.secretHashes);
    for (const grant of [line.images, line.exports]) if (grant) this.images.grantAccess(fn, grant);
    if (line.buyerFiles) this.files.grantAccess(fn, line.buyerFiles);
    if (line.mails) this.mail?.grantSend(fn);
    this.connectProcessor(fn, line.processor);
    if (line.registers) this.connectRegisters(fn);
    if (line.linksLogs)
      fn.addEnvironment('FUNCTION_LOGS', `${this.functionLogs.logGroupName},${this.workerLogs.logGroupName}`);
    this.functions.push(fn);
    return fn;
  }

  /**
   * Gives a function the processor's name, which every function needs because pages show it. Only functions that call
   * the processor may read its secrets.
   */
  private connectProcessor(fn: ServiceFunction, parts: readonly ProcessorPart[] = []): void {
    const { config, stage } = this.props;
    const { processor } = this.settings;
    if (processor === undefined) return;
    fn.addEnvironment('PROCESSOR', processor.name);
    if (parts.length > 0) grantProcessorSecrets(fn, secretsFolder(config.merchant.id, stage, processor.name), parts);
  }

  private connectRegisters(fn: ServiceFunction): void {
    const { config, stage } = this.props;
    const { registers = [] } = this.settings;
    if (registers.length > 0) grantRegisterSecrets(fn, { merchantId: config.merchant.id, stage, registers });
  }

  private createFunction(line: Line, limits: Limits, scope: Construct = this): ServiceFunction {
    const { config, stage, code, webAclArn } = this.props;
    const merchant = webAclArn ? { ...config.merchant, viewerCountryHeader } : config.merchant;
    const { tracing, reservedConcurrency } = this.settings;
    const fn = new ServiceFunction(scope, constructIdOf(line.function), {
      ...limits,
      memoryMegabytes: line.memoryMegabytes,
      code: code(line.function),
      environment: { STAGE: stage, MERCHANT: JSON.stringify(merchant) },
      logGroup: 'method' in line ? this.functionLogs : this.workerLogs,
      reservedConcurrency: reservedConcurrency?.[line.function.replace(/.*\//, '')],
      tracing,
    });
    // An upgrade changes a role before its function. Until then, a worker of 0.2.0 writes to the log of all functions.
    if (!('method' in line)) fn.allowLog(this.functionLogs);
    this.data.grantAccess(fn, line.table);
    return fn;
  }

  /** The stack to which an endpoint's resources belong. */
  private scopeOf(functionName: string): Construct {
    const folder = nestedFolderOf(functionName);
    if (folder === undefined) return this;
    const nested = this.folderStacks.get(folder) ?? new NestedStack(this, pascalCase(folder));
    this.folderStacks.set(folder, nested);
    return nested;
  }

  /** Adds the alarms and the CloudWatch dashboard. A sandbox has alarms only if somebody receives them. */
  private addAlarms(
    events: PaymentEvents,
    watched: Pick<ServiceMetricsProps, 'relay' | 'sweeper' | 'busyWorkers'>,
  ): void {
    const { stage, config } = this.props;
    const { api, functions, settings } = this;
    const metrics = new ServiceMetrics({
      merchant: config.merchant.id,
      stage,
      api,
      events,
      ...watched,
      failures: countFailures(this, this.stackName, this.workerLogs),
      functions,
      table: this.data.table,
      certificateArn: settings.protection ? undefined : settings.customDomain?.certificateArn,
    });
    const { alarmEmail: email, alarmTopicArn: topicArn } = settings;
    const isLive = stage === 'live';
    if (isLive || email !== undefined || topicArn !== undefined)
      new Alarms(this, 'Alarms', { metrics, watchesPayments: isLive, email, topicArn });
    new Dashboard(this, 'Overview', { metrics, title: this.stackName });
  }

  private addOutputs(outputs: Record<string, string>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/** The settings of the stage. A protected stage without its web ACL would be open to everyone. */
function settingsOf({ config, stage, webAclArn }: TillstackStackProps): StageSettings {
  const settings = config.stages[stage];
  if (settings.protection && webAclArn === undefined)
    throw new DeploymentError(`The ${stage} stage has protection, but no web ACL. Use addStacks of infra/stacks.ts.`);
  return settings;
}

/**
 * The account and the region of the stack, if they are set. A stack with a CDN refers to a stack in another region, so
 * it must know its own region.
 */
const placeOf = ({ account, region, protection }: StageSettings) => ({
  ...((account || region) && { env: { ...(account && { account }), ...(region && { region }) } }),
  ...(protection && { crossRegionReferences: true }),
});

/**
 * The outputs about payments that an operator sees after each deployment. They say which processor takes the payments,
 * and what is still to do.
 */
function paymentsOf({ processor }: StageSettings, merchantId: string, stage: Stage): string {
  const options = `--merchant ${merchantId} --stage ${stage}`;
  if (processor)
    return `by ${processor.name}. Set its key with "npm run processor -- set ${options}" once, then see what is missing with "npm run processor -- check ${options}"`;
  if (stage === 'sandbox') return 'by test cards';
  return `none: this stack sells nothing yet. Add ${namingExample} to stages.live in infra/merchants/${merchantId}.json, and deploy again`;
}

/** The settings of every function, from the route table. */
interface Line {
  function: string;
  memoryMegabytes: number;
  table: TableGrants;
  images?: ImageGrant;
  exports?: ExportGrant;
  buyerFiles?: FileGrant;
  mails?: boolean;
  processor?: readonly ProcessorPart[];
  registers?: boolean;
  linksLogs?: boolean;
}

type Limits = Pick<ServiceFunctionProps, 'description' | 'timeout'>;
