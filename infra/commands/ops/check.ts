import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSummaryCommand } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException } from '@aws-sdk/client-sesv2';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { type CheckLine, describeLine, fulfilled, lacks, remark, warns } from '../../../shared/domain/check-line.ts';
import { functionNamesOf } from '../../function-names.ts';
import { checkSettings } from '../../preflight.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { findStack, stackParts } from './stack-parts.ts';

/** The concurrency that Lambda always leaves for functions without a reservation. */
const leastUnreserved = 100;
/**
 * The recommended concurrency of an account. With less, Lambda may refuse calls when many buyers come at the same time.
 */
const comfortable = 500;
/** The least concurrency for a live stack. With less, its workers can leave none for buyers. A new account has 10. */
const leastForLive = 100;

/** Facts about the account, as AWS reports them. */
export interface AccountFacts {
  account: string;
  region: string;
  /** Whether `cdk bootstrap` was run in the account and the region. */
  isBootstrapped: boolean;
  /**
   * Whether us-east-1 was bootstrapped too. Undefined if the stage does not need it, or if its own region is us-east-1.
   */
  isUsEast1Bootstrapped: boolean | undefined;
  concurrency: number;
  unreserved: number;
  roles: number;
  rolesQuota: number;
  /** The number of roles that the deployed stack already has. */
  deployed: { roles: number };
  /** The state of SES for the merchant's mails; undefined if the merchant sends none. */
  mail: { isInSandbox: boolean; isSenderVerified: boolean } | undefined;
}

const noRegion = 'No region is set. Add "region" to the stage in the merchant’s file, or set AWS_REGION.';

async function regionOf({ clients }: OpsContext): Promise<string> {
  const region = await clients.lambda.config.region().catch(() => undefined);
  if (region) return region;
  throw new Error(noRegion);
}

/** Whether SES has verified the sender, by its address or its domain. */
async function isVerified({ clients }: OpsContext, from: string): Promise<boolean> {
  for (const EmailIdentity of [from, from.replace(/.*@/, '')])
    try {
      const identity = await clients.mail.send(new GetEmailIdentityCommand({ EmailIdentity }));
      if (identity.VerifiedForSendingStatus) return true;
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
    }
  return false;
}

async function askMail(context: OpsContext): Promise<AccountFacts['mail']> {
  const { receipts } = context.config.merchant;
  if (!receipts) return undefined;
  const { ProductionAccessEnabled } = await context.clients.mail.send(new GetAccountCommand({}));
  return { isInSandbox: !ProductionAccessEnabled, isSenderVerified: await isVerified(context, receipts.from) };
}

const isBootstrapped = async (client: CloudFormationClient): Promise<boolean> =>
  (await findStack(client, 'CDKToolkit')) !== undefined;

/**
 * Whether us-east-1 is bootstrapped. Only a protected stage in another region needs it, for the stack with its web ACL.
 */
async function askUsEast1({ clients, settings }: OpsContext, region: string): Promise<boolean | undefined> {
  if (!settings.protection || region === 'us-east-1') return undefined;
  return isBootstrapped(clients.cloudFormationOfUsEast1);
}

async function askAccount(context: OpsContext): Promise<AccountFacts> {
  const { clients, stackName } = context;
  const region = await regionOf(context);
  const { Account: account = '' } = await clients.identity.send(new GetCallerIdentityCommand({}));
  const stack = await findStack(clients.cloudFormation, stackName);
  const parts = stack ? await stackParts(clients.cloudFormation, stackName) : [];
  const { AccountLimit: limits } = await clients.lambda.send(new GetAccountSettingsCommand({}));
  const { SummaryMap: summary } = await clients.iam.send(new GetAccountSummaryCommand({}));
  return {
    account,
    region,
    isBootstrapped: await isBootstrapped(clients.cloudFormation),
    isUsEast1Bootstrapped: await askUsEast1(context, region),
    concurrency: limits?.ConcurrentExecutions ?? 0,
    unreserved: limits?.UnreservedConcurrentExecutions ?? 0,
    roles: summary?.['Roles'] ?? 0,
    rolesQuota: summary?.['RolesQuota'] ?? 1_000,
    deployed: { roles: parts.filter(({ type }) => type === 'AWS::IAM::Role').length },
    mail: await askMail(context),
  };
}

const quotaAdvice = (service: string, quota: string, region: string) =>
  `ask for more: aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${quota} --region ${region} --desired-value …`;

function checkConcurrency(
  facts: AccountFacts,
  { settings, stage }: Pick<OpsContext, 'settings' | 'stage'>,
): CheckLine[] {
  const reserved = Object.values(settings.reservedConcurrency ?? {}).reduce<number>((sum, one = 0) => sum + one, 0);
  const advice = quotaAdvice('lambda', 'L-B99A9384', facts.region);
  const has = `the account starts ${facts.concurrency} functions at once in ${facts.region}, ${facts.unreserved} of them unreserved`;
  const reserving =
    reserved > 0 && facts.concurrency - reserved < leastUnreserved
      ? [
          lacks(
            `reservedConcurrency adds up to ${reserved}, but Lambda keeps ${leastUnreserved} of ${facts.concurrency} unreserved: reserve less, or ${advice}`,
          ),
        ]
      : [];
  if (stage === 'live' && facts.concurrency < leastForLive)
    return [...reserving, lacks(`${has}, but a live stack needs ${leastForLive}: ${advice}`)];
  return [...reserving, facts.concurrency < comfortable ? warns(`${has}: ${advice}`) : fulfilled(has)];
}

function checkBootstrap(facts: AccountFacts, options: string): CheckLine[] {
  const { account, region, isUsEast1Bootstrapped: isReady } = facts;
  const lackOf = (place: string) => `is not bootstrapped: npx cdk bootstrap aws://${account}/${place} ${options}`;
  return [
    facts.isBootstrapped ? fulfilled('the region is bootstrapped for the CDK') : lacks(`the region ${lackOf(region)}`),
    ...(isReady === undefined
      ? []
      : [
          isReady
            ? fulfilled('us-east-1 is bootstrapped for the web ACL')
            : lacks(`us-east-1, where the web ACL lies, ${lackOf('us-east-1')}`),
        ]),
  ];
}

/**
 * Checks the account's quota of roles. Each function has a role, and a stack has a few more. It fails if the quota is
 * too small.
 */
function checkRoles(facts: AccountFacts, needed: number): CheckLine {
  const { roles, rolesQuota, deployed } = facts;
  const missing = roles - deployed.roles + needed - rolesQuota;
  const has = `the account has ${roles} of ${rolesQuota} roles, and the stack has ${Math.max(needed, deployed.roles)}`;
  if (missing <= 0) return fulfilled(has);
  return lacks(
    `${has}, which is ${missing} too many: ${quotaAdvice('iam', 'L-FE177D64', 'us-east-1')}, or deploy to another account`,
  );
}

function checkMail({ mail, region }: AccountFacts, from: string): CheckLine[] {
  if (!mail) return [remark('no invoices are mailed: merchant.receipts.from is not set')];
  return [
    mail.isSenderVerified
      ? fulfilled(`SES has verified ${from}`)
      : lacks(
          `SES has not verified ${from} in ${region}: aws sesv2 create-email-identity --email-identity ${from.replace(/.*@/, '')} --region ${region}, then set the DNS records that it prints`,
        ),
    mail.isInSandbox
      ? lacks(
          `SES is still in its sandbox in ${region}, so buyers get no invoice: ask for production access with aws sesv2 put-account-details --production-access-enabled …`,
        )
      : fulfilled('SES mails to every address'),
  ];
}

function checkAccount({ account, region }: AccountFacts, { settings }: Pick<OpsContext, 'settings'>): CheckLine {
  if (settings.account === undefined || settings.account === account)
    return fulfilled(`account ${account}, region ${region}`);
  return lacks(
    `the credentials are of account ${account}, but the stage belongs to ${settings.account}: set AWS_PROFILE to one of that account`,
  );
}

/**
 * Compares the facts about an account with the needs of a stack. The facts are an argument, so that a test needs no
 * AWS.
 */
export function checkFacts(
  facts: AccountFacts,
  context: Pick<OpsContext, 'settings' | 'config' | 'stage'>,
): CheckLine[] {
  const { merchant } = context.config;
  const options = `-c merchant=${merchant.id} -c stage=${context.stage}`;
  return [
    checkAccount(facts, context),
    ...checkBootstrap(facts, options),
    ...checkConcurrency(facts, context),
    checkRoles(facts, functionNamesOf(context.settings, merchant).length),
    ...checkMail(facts, merchant.receipts?.from ?? ''),
  ];
}

/** Checks a stage before a deployment. It reports what its settings and its account lack, and changes nothing. */
export async function checkStage(context: OpsContext): Promise<OpsReport & { findings: CheckLine[] }> {
  const findings = [...checkSettings(context.config, context.stage), ...checkFacts(await askAccount(context), context)];
  const count = (kind: CheckLine['is']) => findings.filter(({ is }) => is === kind).length;
  const isFine = count('missing') === 0;
  const summary = isFine ? `Nothing is missing. Warnings: ${count('warning')}.` : `Missing: ${count('missing')}.`;
  return { isFine, findings, json: findings, lines: [...findings.map(describeLine), summary] };
}
